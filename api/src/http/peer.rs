//! Where a request comes from when proxies stand before the server. Must not believe a header that a
//! trusted proxy did not write.

use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

/// A network of trusted proxies, written `10.0.0.0/8`, or one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    base: u128,
    bits: u32,
}

/// A text that is no network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an address or a network: {0:?}")]
pub struct NotANetwork(String);

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let wrong = || NotANetwork(text.to_owned());
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix.parse::<u32>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let address = address.trim().parse::<IpAddr>().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.unwrap_or(most);
        if prefix > most {
            return Err(wrong());
        }
        let bits = 128 - most + prefix;
        Ok(Self { base: wide(address) & mask(bits), bits })
    }
}

impl Network {
    /// Whether the address lies in the network.
    pub fn contains(&self, address: IpAddr) -> bool {
        wide(address) & mask(self.bits) == self.base
    }
}

/// An address as 128 bits; IPv4 in its mapped form.
fn wide(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

fn mask(bits: u32) -> u128 {
    u128::MAX.checked_shl(128 - bits).unwrap_or(0)
}

/// The client's address: the last one in `X-Forwarded-For` that no trusted proxy has, if the connection
/// itself comes from a trusted proxy; otherwise the connection's.
pub fn address(parts: &Parts, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip().to_canonical());
    let chain: Vec<&str> = parts
        .headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    for hop in chain.iter().rev() {
        if !is_trusted(client) {
            break;
        }
        let Ok(next) = hop.trim().parse::<IpAddr>() else { break };
        client = next.to_canonical();
    }
    client
}
