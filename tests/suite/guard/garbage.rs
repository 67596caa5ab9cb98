//! Random and mutated input: the guard answers, and what it admits can be executed.

use super::admit;
use crate::doors::toy;
use proptest::prelude::*;
use yibu_api::graphql::guard;

/// Good documents to begin from.
const SEEDS: [&str; 5] = [
    "query Q($v: [Int!] = [1, 2]) @a { node { a { ...F b(x: $v) } } echo(text: \"x\\u6B65\") }
     fragment F on Node { leaves { name @include(if: true) } }",
    "{ echo(text: \"\"\"\n   block \\\"\"\" text\n  \"\"\") hello # comment\n }",
    "mutation M { a: bump b: login }",
    "subscription { count(to: 3) }",
    "{ __schema { types { name fields { type { ofType { name } } } } } }",
];

/// Pieces that matter to a parser.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "\"\"\"",
    "\\",
    "\\\"\"\"",
    "#",
    "\n",
    "...",
    "on ",
    "@a",
    "$v",
    ":",
    "=",
    "!",
    "-1.5e3",
    "fragment F on Node",
    "query",
    "\u{feff}",
    "步",
];

fn mutated() -> impl Strategy<Value = String> {
    let cut = (0..SEEDS.len(), any::<u16>(), any::<u16>(), 0..PIECES.len(), 1..40_usize);
    prop::collection::vec(cut, 1..6).prop_map(|cuts| {
        let mut text: Vec<char> = SEEDS[cuts[0].0].chars().collect();
        for (_, at, length, piece, times) in cuts {
            let start = usize::from(at) % (text.len() + 1);
            let end = (start + usize::from(length) % 4).min(text.len());
            text.splice(start..end, PIECES[piece].repeat(times).chars());
        }
        text.into_iter().collect()
    })
}

fn run(text: &str) {
    if let Ok(admitted) = admit(text) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(toy::schema().execute(admitted.request));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutated_documents(text in mutated()) {
        run(&text);
    }

    #[test]
    fn pieces_at_random(pieces in prop::collection::vec(0..PIECES.len(), 0..200)) {
        run(&pieces.into_iter().map(|piece| PIECES[piece]).collect::<String>());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(parameters) = guard::read_json(&bytes) {
            let _ = guard::admit(parameters);
        }
        run(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn documents_inside_json(text in mutated(), name in ".{0,10}") {
        let body = serde_json::json!({"query": text, "operationName": name, "variables": {"v": [1]}});
        if let Ok(parameters) = guard::read_json(body.to_string().as_bytes()) {
            let _ = guard::admit(parameters);
        }
    }
}
