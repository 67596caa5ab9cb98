//! One measured figure, and the line of JSON that it is printed as. Measures nothing itself.

use std::io::Write;

/// A figure beside its peer (the limit or competitor measured in the same run) and its goal.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub(crate) struct Figure {
    /// What was measured.
    pub(crate) name: String,
    /// Median over the rounds.
    pub(crate) value: f64,
    /// Unit of the value and of the peer's.
    pub(crate) unit: &'static str,
    /// What it is held against.
    pub(crate) peer: Option<String>,
    /// Median over the same rounds.
    pub(crate) peer_value: Option<f64>,
    /// Value ÷ peer's value.
    pub(crate) ratio: Option<f64>,
    /// The least (`at_least`) or the most (`at_most`) that is good enough: of the ratio where there is a
    /// peer, else of the value.
    pub(crate) goal: Option<f64>,
    /// Whether the goal is met; true where there is none.
    pub(crate) ok: bool,
}

impl Figure {
    /// A figure that stands for itself.
    pub(crate) fn alone(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value: rounded(value),
            unit,
            peer: None,
            peer_value: None,
            ratio: None,
            goal: None,
            ok: true,
        }
    }

    /// The figure beside a peer.
    #[must_use]
    pub(crate) fn beside(mut self, peer: impl Into<String>, peer_value: f64) -> Self {
        self.ratio = (peer_value > 0.0).then(|| rounded(self.value / peer_value));
        self.peer = Some(peer.into());
        self.peer_value = Some(rounded(peer_value));
        self
    }

    /// Good when not less than `goal`.
    #[must_use]
    pub(crate) fn at_least(mut self, goal: f64) -> Self {
        self.goal = Some(goal);
        self.ok = self.judged() >= goal;
        self
    }

    /// Good when not more than `goal`.
    #[must_use]
    pub(crate) fn at_most(mut self, goal: f64) -> Self {
        self.goal = Some(goal);
        self.ok = self.judged() <= goal;
        self
    }

    /// Prints the line.
    ///
    /// # Errors
    /// Standard output is gone.
    pub(crate) fn print(&self) -> std::io::Result<()> {
        let line = serde_json::to_string(self)?;
        writeln!(std::io::stdout().lock(), "{line}")
    }

    fn judged(&self) -> f64 {
        self.ratio.unwrap_or(self.value)
    }
}

/// The middle of the rounds; 0 without any.
pub(crate) fn median(rounds: &mut [f64]) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds.get(rounds.len() / 2).copied().unwrap_or(0.0)
}

/// Three significant decimals are more than any of this repeats to.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
