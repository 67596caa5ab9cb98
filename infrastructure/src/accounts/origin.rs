//! Where a request comes from, reduced to what limits and the list of sessions need. Trusts its maker for
//! the address; trusts nothing that a client says about itself.

use std::net::{IpAddr, Ipv6Addr};

/// The most characters of a device's label that are kept.
const MOST_LABEL: usize = 200;

/// Where a request comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The client's address, after trusted proxies.
    pub ip: IpAddr,
    /// A label for the list of sessions, for instance the browser's name. Any text.
    pub device: String,
    /// The device mark that an earlier login gave this device, where it shows one.
    pub mark: Option<String>,
}

impl Origin {
    /// An origin of which only the address is known.
    pub const fn of(ip: IpAddr) -> Self {
        Self { ip, device: String::new(), mark: None }
    }

    /// The network that limits count by: the address itself, of IPv6 the first 64 bits.
    pub(super) fn network(&self) -> String {
        match self.ip.to_canonical() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }

    /// The label, short and without anything that could disturb a page or a log.
    pub(super) fn label(&self) -> String {
        self.device
            .chars()
            .filter(|c| !c.is_control())
            .take(MOST_LABEL)
            .collect::<String>()
            .trim()
            .to_owned()
    }

    /// The shown mark, where it has the form of one (64 hexadecimal digits).
    pub(super) fn shown_mark(&self) -> Option<[u8; 32]> {
        let mark = self.mark.as_ref()?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(mark, &mut bytes).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_addresses_or_their_first_half() {
        let network = |ip: &str| Origin::of(ip.parse().unwrap()).network();
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2:ffff::1"), "2001:db8:1:2::/64");
        assert_ne!(network("2001:db8:1:3::1"), "2001:db8:1:2::/64");
    }

    #[test]
    fn labels_and_marks_are_cut_to_shape() {
        let mut origin = Origin::of("127.0.0.1".parse().unwrap());
        origin.device = format!(" a\n\u{1b}[31m{}", "x".repeat(200));
        assert_eq!(origin.label().chars().count(), MOST_LABEL - 1);
        assert!(!origin.label().contains('\n'));
        for (mark, good) in [("", false), ("zz", false), (&"ab".repeat(32), true)] {
            origin.mark = Some(mark.to_owned());
            assert_eq!(origin.shown_mark().is_some(), good);
        }
    }
}
