//! Each limit, just kept and just broken.

use super::{admit_with, code};
use serde_json::json;
use yibu_api::graphql::guard::lexical::{
    MAX_BYTES, MAX_NESTING, MAX_TOKENS, MAX_WORD, document, json as json_text,
};
use yibu_api::graphql::guard::{self, tree};

fn many(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn bytes_tokens_and_words() {
    assert!(document(&" ".repeat(MAX_BYTES)).is_ok());
    assert_eq!(code(&" ".repeat(MAX_BYTES + 1)), "REQUEST_TOO_LARGE");
    assert!(document(&"a ".repeat(MAX_TOKENS as usize)).is_ok());
    assert_eq!(code(&"a ".repeat(MAX_TOKENS as usize + 1)), "REQUEST_TOO_LARGE");
    let word = |length: usize| format!("{{ {} }}", "a".repeat(length));
    assert_eq!((code(&word(MAX_WORD)), code(&word(MAX_WORD + 1))), ("ok", "REQUEST_TOO_LARGE"));
    let number = format!("{{ a(x: 1{}) }}", "0".repeat(MAX_WORD));
    assert_eq!(code(&number), "REQUEST_TOO_LARGE");
    assert_eq!(code("{ a(x: 1e999) }"), "REQUEST_SYNTAX");
}

#[test]
fn nesting_of_text() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("{{ a(x: {}1{}) }}", open.repeat(count), close.repeat(count))
    };
    let most = MAX_NESTING as usize - 2;
    for (open, close) in [("[", "]"), ("{a:", "}")] {
        assert_eq!(code(&nested(open, close, most)), "ok");
        assert_eq!(code(&nested(open, close, most + 1)), "REQUEST_TOO_DEEP");
    }
    let json = |count: usize| [vec![b'['; count], vec![b']'; count]].concat();
    assert!(json_text(&json(MAX_NESTING as usize)).is_ok());
    assert!(json_text(&json(MAX_NESTING as usize + 1)).is_err());
    assert!(json_text(br#"{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"["}"#).is_ok());
    let extension = format!(r#"{{"query":"{{a}}","extensions":{{"e":{}}}}}"#, "[".repeat(40));
    assert_eq!(
        guard::read_json(extension.as_bytes()).err().map(|refusal| refusal.code()),
        Some("REQUEST_TOO_DEEP")
    );
}

#[test]
fn depth_through_fragments_too() {
    let fields =
        |count: u32| format!("{}a{}", "{a".repeat(count as usize), "}".repeat(count as usize));
    assert_eq!(code(&fields(tree::MAX_DEPTH)), "ok");
    assert_eq!(code(&fields(tree::MAX_DEPTH + 1)), "REQUEST_TOO_DEEP");
    let chain = |count: usize| {
        let links = many(count, |n| format!("fragment F{n} on X {{ ...F{} }} ", n + 1));
        format!("{{ ...F0 }} {links} fragment F{count} on X {{ a }}")
    };
    assert_eq!(code(&chain(20)), "ok");
    assert_eq!(code(&chain(31)), "REQUEST_TOO_DEEP");
    // The last links first: each is weighed before the chain above it is known.
    let late = format!("{{ ...F25 ...F0 }} {}", chain(31).split_once('}').expect("a set").1);
    assert_eq!(code(&late), "REQUEST_TOO_DEEP");
}

#[test]
fn numbers_of_things() {
    let max = |most: u64| usize::try_from(most).expect("small");
    let cases: [(usize, &dyn Fn(usize) -> String); 8] = [
        (max(tree::MAX_FIELDS) - 1, &|n| format!("{{ r {{ {} }} }}", "a ".repeat(n))),
        (max(tree::MAX_ALIASES), &|n| {
            format!("{{ r {{ {} }} }}", many(n, |k| format!("a{k}: __typename ")))
        }),
        (max(tree::MAX_DIRECTIVES), &|n| format!("query {} {{ a }}", "@x ".repeat(n))),
        (tree::MAX_ARGUMENTS, &|n| format!("{{ a({}) }}", many(n, |k| format!("x{k}: 1 ")))),
        (tree::MAX_QUERY_ROOTS, &|n| format!("{{ {} }}", "a ".repeat(n))),
        (tree::MAX_MUTATION_ROOTS, &|n| format!("mutation {{ {} }}", "a ".repeat(n))),
        (1, &|n| format!("subscription {{ {} }}", "a ".repeat(n))),
        (tree::MAX_VARIABLES, &|n| {
            format!("query({}) {{ a }}", many(n, |k| format!("$v{k}: Int ")))
        }),
    ];
    for (number, (most, document)) in cases.into_iter().enumerate() {
        assert_eq!(code(&document(most)), "ok", "case {number}");
        assert_eq!(code(&document(most + 1)), "REQUEST_TOO_COMPLEX", "case {number}");
    }
    let spreads = |count: usize| format!("{{ r {{ {} }} }}", "...{a}".repeat(count));
    assert_eq!(code(&spreads(max(tree::MAX_SPREADS))), "ok");
    assert_eq!(code(&spreads(max(tree::MAX_SPREADS) + 1)), "REQUEST_TOO_COMPLEX");
    let fragments = many(tree::MAX_FRAGMENTS + 1, |n| format!("fragment F{n} on X {{ a }} "));
    assert_eq!(code(&format!("{{ a }} {fragments}")), "REQUEST_TOO_COMPLEX");
}

#[test]
fn directives_count_wherever_they_stand() {
    let x = "@x ".repeat(21);
    for document in [
        format!("query {x} {{ a {x} }}"),
        format!("query ($v: Int {x}) {{ a {x} }}"),
        format!("{{ ... {x} {{ a {x} }} }}"),
        format!("{{ ...F {x} }} fragment F on X {x} {{ a }}"),
        format!("{{ ...F ...F }} fragment F on X {{ a {x} }}"),
    ] {
        assert_eq!(code(&document), "REQUEST_TOO_COMPLEX", "{document}");
    }
}

#[test]
fn a_variable_weighs_wherever_it_is_used() {
    let query = format!("query($v: [Int]) {{ r {{ {} }} }}", "b(x: $v) ".repeat(50));
    let code = |length: usize| {
        let list = vec![1; length];
        admit_with(&query, json!({"v": list})).map_or_else(|refusal| refusal.code(), |_| "ok")
    };
    assert_eq!(code(100), "ok");
    assert_eq!(code(1_000), "REQUEST_TOO_COMPLEX");
    let text = "x".repeat(60_000);
    let refusal = admit_with(&query, json!({"v": text})).expect_err("long");
    assert_eq!(refusal.code(), "REQUEST_TOO_COMPLEX");
    let default = format!(
        "query($v: [Int] = [{}]) {{ r {{ {} }} }}",
        "1 ".repeat(1_000),
        "b(x: $v) ".repeat(50)
    );
    assert_eq!(super::code(&default), "REQUEST_TOO_COMPLEX");
}

#[test]
fn rules_that_the_guard_checks_itself() {
    assert_eq!(code("{ ...F } fragment F on X { a ...F }"), "REQUEST_INVALID");
    assert_eq!(
        code("{ ...F } fragment F on X { ...G } fragment G on X { b { ...F } }"),
        "REQUEST_INVALID"
    );
    assert_eq!(code("{ a } fragment F on X { a }"), "REQUEST_INVALID");
    assert_eq!(code("{ a } fragment F on X { a } fragment F on X { a }"), "REQUEST_INVALID");
    assert_eq!(code("{ a: b a: c }"), "REQUEST_INVALID");
    assert_eq!(code("{ a(x: 1) a(x: 2) }"), "REQUEST_INVALID");
    assert_eq!(code("{ a(x: 1) ... { a } }"), "REQUEST_INVALID");
    assert_eq!(code("{ r { ...F ... on X { a: c } } } fragment F on X { a }"), "REQUEST_INVALID");
    assert_eq!(code("{ a(x: 1) a(x: 1) ... on X { a: b } ... on Y { a: c } }"), "ok");
}
