//! What the guard finds in ordinary documents.

use super::{admit, admit_with, code};
use async_graphql::parser::types::OperationType;
use serde_json::json;
use yibu_api::graphql::guard::{self, Parameters, Refusal, lexical};

#[test]
fn ordinary_documents_pass() {
    let admitted =
        admit("query Q { a { ...F ...F } } fragment F on X { b c { d } }").expect("good");
    assert_eq!(admitted.kind, OperationType::Query);
    assert_eq!(admitted.cost, 7);
    assert_eq!(admitted.roots, ["a"]);
    assert_eq!(admitted.request.operation_name.as_deref(), Some("Q"));
    let mutation = admit("mutation { x: move y: move ... { skip } }").expect("good");
    assert_eq!(mutation.roots, ["move", "move", "skip"]);
}

#[test]
fn strings_and_comments_hide_brackets() {
    let text = r##"{ a(x: "{[(", y: """ \""" {{{ "quoted" """) # ((((
        b(z: "\\" , w: "\"[") }"##;
    let measure = lexical::document(text).expect("small");
    assert_eq!((measure.nesting, measure.tokens), (2, 20));
    assert_eq!(code(text), "ok");
    assert_eq!(lexical::document("...a ... on B -1.5e+3 $v @d !").expect("small").tokens, 11);
    assert_eq!(lexical::document("\u{feff}, \t\r\n#x").expect("small").tokens, 0);
}

#[test]
fn one_operation_and_its_name() {
    assert_eq!(code("query A { a } query B { b }"), "REQUEST_MANY_OPERATIONS");
    assert_eq!(code("query A { a } query A { b }"), "REQUEST_MANY_OPERATIONS");
    assert_eq!(code("{ a } mutation B { b }"), "REQUEST_MANY_OPERATIONS");
    assert_eq!(code("fragment F on X { a }"), "REQUEST_SYNTAX");
    assert_eq!(code(""), "REQUEST_SYNTAX");
    let named = |query: &str, name: &str| {
        let operation_name = Some(name.to_owned());
        guard::admit(Parameters {
            query: query.to_owned(),
            operation_name,
            ..Parameters::default()
        })
        .err()
    };
    assert_eq!(named("query A { a }", "A"), None);
    assert_eq!(named("query A { a }", ""), None);
    assert_eq!(named("query A { a }", "B"), Some(Refusal::UnknownOperation));
    assert_eq!(named("{ a }", "A"), Some(Refusal::UnknownOperation));
}

#[test]
fn required_variables_must_be_there() {
    let code = |query: &str, variables| {
        admit_with(query, variables).map_or_else(|refusal| refusal.code(), |_| "ok")
    };
    let query = "query($v: Int!) { a(x: $v) }";
    assert_eq!(code(query, json!({})), "REQUEST_VARIABLES");
    assert_eq!(code(query, json!({"v": null})), "REQUEST_VARIABLES");
    assert_eq!(code(query, json!({"v": 1})), "ok");
    assert_eq!(code("query($v: Int! = 3) { a(x: $v) }", json!({})), "ok");
    assert_eq!(code("query($v: Int! = 3) { a(x: $v) }", json!({"v": null})), "REQUEST_VARIABLES");
    assert_eq!(code("query($v: Int) { a(x: $v) }", json!({})), "ok");
}

#[test]
fn refusals_never_repeat_the_document() {
    for text in ["{ secret", "{ a(secret: [\"x) }", "secret", "query secret { a } query b { c }"] {
        let refusal = admit(text).expect_err("wrong");
        assert!(!refusal.to_string().contains("secret"), "{refusal}");
    }
}

/// The question that developers' tools ask.
const INTROSPECTION: &str = "query IntrospectionQuery { __schema { queryType { name } mutationType { name }
    subscriptionType { name } types { ...FullType } directives { name description locations args { ...InputValue } } } }
    fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description
    args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields { ...InputValue }
    interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
    possibleTypes { ...TypeRef } }
    fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
    fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
    ofType { kind name ofType { kind name ofType { kind name } } } } } } } }";

#[tokio::test]
async fn tools_may_ask_for_the_schema_but_not_in_circles() {
    let admitted = admit(INTROSPECTION).expect("good");
    let answer = crate::doors::toy::schema().execute(admitted.request).await;
    assert!(answer.is_ok(), "{:?}", answer.errors);
    let circle =
        "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }";
    assert_eq!(code(circle), "REQUEST_TOO_COMPLEX");
    let hidden = "{ __type(name: \"A\") { ...F } } fragment F on __Type { fields { type { possibleTypes { ...G } } } }
        fragment G on __Type { interfaces { name } }";
    assert_eq!(code(hidden), "REQUEST_TOO_COMPLEX");
}
