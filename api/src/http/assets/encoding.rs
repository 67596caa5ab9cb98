//! `Accept-Encoding`: in which packed forms a browser takes a file, the best first. Must not pack anything.

/// A way in which the client's build packs its files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    /// All of them, the smallest result first.
    pub(super) const BEST_FIRST: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// As headers say it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// What the packed file's name ends in.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
}

/// The codings that these `Accept-Encoding` lists allow, the most wanted first; what is wanted less than the
/// plain file is left out.
pub(super) fn wanted<'a>(lists: impl Iterator<Item = &'a str>) -> Vec<Coding> {
    let mut named: Vec<(String, f32)> = Vec::new();
    for one in lists.flat_map(|list| list.split(',')) {
        let mut parts = one.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        named.push((name, weight.map_or(1.0, |text| text.parse().unwrap_or(0.0))));
    }
    let weight = |name: &str| named.iter().find(|(one, _)| one == name).map(|(_, weight)| *weight);
    let any = weight("*");
    let plain = weight("identity").unwrap_or(0.0);
    let mut allowed: Vec<(Coding, f32)> = Coding::BEST_FIRST
        .into_iter()
        .map(|coding| (coding, weight(coding.name()).or(any).unwrap_or(0.0)))
        .filter(|(_, weight)| *weight > 0.0 && *weight >= plain)
        .collect();
    // Stable: the smaller of two that are wanted equally stays first.
    allowed.sort_by(|a, b| b.1.total_cmp(&a.1));
    allowed.into_iter().map(|(coding, _)| coding).collect()
}

#[cfg(test)]
mod tests {
    use super::Coding::{Brotli, Gzip};
    use super::*;

    #[test]
    fn the_most_wanted_comes_first() {
        for (list, expected) in [
            ("", vec![]),
            ("identity", vec![]),
            ("deflate, zstd", vec![]),
            ("gzip, deflate, br, zstd", vec![Brotli, Gzip]),
            ("GZIP", vec![Gzip]),
            ("gzip;q=1.0, br;q=0.5", vec![Gzip, Brotli]),
            ("br;q=0, gzip", vec![Gzip]),
            ("br; q=0 ,*", vec![Gzip]),
            ("*;q=0.1", vec![Brotli, Gzip]),
            ("identity, br;q=0.5", vec![]),
            ("br;q=loud", vec![]),
            ("br;q=NaN", vec![]),
        ] {
            assert_eq!(wanted([list].into_iter()), expected, "{list}");
        }
        assert_eq!(wanted(["gzip", "br"].into_iter()), [Brotli, Gzip]);
    }
}
