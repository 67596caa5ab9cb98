//! The files of the built client, each with its packed forms. Must not know requests beyond what they accept.

use super::encoding::{self, Coding};
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// What the client's build left. In a release the files are part of the binary.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Built;

/// What may be served, by the ending of its name; anything else in the folder is not for browsers.
const KINDS: [(&str, &str); 6] = [
    (".css", "text/css; charset=utf-8"),
    (".html", "text/html; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".svg", "image/svg+xml"),
    (".txt", "text/plain; charset=utf-8"),
    (".webmanifest", "application/manifest+json"),
];

/// One form of a file.
pub(super) struct Variant {
    /// How it is packed.
    pub(super) coding: Option<Coding>,
    /// What is sent.
    pub(super) bytes: Bytes,
    /// Names these bytes and no others.
    pub(super) tag: HeaderValue,
}

/// A file in all its forms; there is always a plain one.
pub(super) struct File {
    kind: &'static str,
    plain: Variant,
    packed: Vec<Variant>,
}

impl File {
    /// The `Content-Type`.
    pub(super) const fn kind(&self) -> &'static str {
        self.kind
    }

    /// The form for a browser that sent these headers.
    pub(super) fn best(&self, asked: &HeaderMap) -> &Variant {
        let accepted = asked.get_all(header::ACCEPT_ENCODING);
        let lists = accepted.iter().filter_map(|value| value.to_str().ok());
        let there = |coding| self.packed.iter().find(|form| form.coding == Some(coding));
        encoding::wanted(lists).into_iter().find_map(there).unwrap_or(&self.plain)
    }
}

/// The client's files by name; cheap to clone. Without files there is no client.
#[derive(Clone, Default)]
pub struct Client(Arc<BTreeMap<String, File>>);

impl Client {
    /// The client that this binary carries; a debug build reads it once from where it was built.
    pub fn embedded() -> Self {
        static CLIENT: LazyLock<Client> = LazyLock::new(|| {
            let names = Built::iter();
            Client::of(names.filter_map(|name| Some((name.to_string(), Built::get(&name)?.data))))
        });
        CLIENT.clone()
    }

    /// A client of these files, by their paths below its root. `x.br` and `x.gz` are packed forms of `x`.
    pub fn of(files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>) -> Self {
        let mut all: BTreeMap<String, Cow<'static, [u8]>> = files.into_iter().collect();
        let mut served = BTreeMap::new();
        for name in all.keys().cloned().collect::<Vec<_>>() {
            let kind = KINDS.iter().find(|(ending, _)| name.ends_with(ending));
            let (Some((_, kind)), false) = (kind, name.starts_with('.')) else { continue };
            let mut take = |coding: Option<Coding>| {
                let ending = coding.map_or("", Coding::ending);
                Some(variant(coding, all.remove(&format!("{name}{ending}"))?))
            };
            let packed = Coding::BEST_FIRST.into_iter().filter_map(|one| take(Some(one))).collect();
            if let Some(plain) = take(None) {
                served.insert(name, File { kind, plain, packed });
            }
        }
        Self(Arc::new(served))
    }

    /// The file of a name.
    pub(super) fn file(&self, name: &str) -> Option<&File> {
        self.0.get(name)
    }
}

fn variant(coding: Option<Coding>, bytes: Cow<'static, [u8]>) -> Variant {
    let hash = blake3::hash(&bytes).to_hex();
    // Hexadecimal digits between quotes are always a header's value.
    let tag = HeaderValue::from_str(&format!("\"{}\"", &hash[..32]));
    let bytes = match bytes {
        Cow::Borrowed(built_in) => Bytes::from_static(built_in),
        Cow::Owned(read) => Bytes::from(read),
    };
    Variant { coding, bytes, tag: tag.unwrap_or(HeaderValue::from_static("\"\"")) }
}
