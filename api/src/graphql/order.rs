//! Puts the keys of an answer into the order of the request: the engine writes fields as they become ready,
//! and the bytes of an answer would tell which of them took long. Must not know the schema, nor take a
//! document that the [guard](super::guard) has not admitted: the guard bounds what fragments expand to.

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use async_graphql::{Name, Value};

/// The response keys of a selection set in the order in which they first appear, each with the plan for
/// what is below it. Fragments stand in place, whatever type they are for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan(IndexMap<Name, Plan>);

impl Plan {
    /// The plan of a document's operation: the one of that name, or the only one. A document without it
    /// has an empty plan, which changes nothing.
    pub fn of(document: &ExecutableDocument, operation_name: Option<&str>) -> Self {
        let mut plan = Self::default();
        let mut operations = document.operations.iter();
        let operation = match operation_name {
            Some(wanted) => {
                operations.find(|(name, _)| name.is_some_and(|name| name.as_str() == wanted))
            }
            None => operations.next(),
        };
        if let Some((_, operation)) = operation {
            plan.add(document, &operation.node.selection_set.node);
        }
        plan
    }

    fn add(&mut self, document: &ExecutableDocument, set: &SelectionSet) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => {
                    let key = field.node.response_key().node.clone();
                    let below = self.0.entry(key).or_default();
                    below.add(document, &field.node.selection_set.node);
                }
                Selection::InlineFragment(inline) => {
                    self.add(document, &inline.node.selection_set.node);
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    // The engine refuses the request when there is no such fragment.
                    if let Some(fragment) = document.fragments.get(name) {
                        self.add(document, &fragment.node.selection_set.node);
                    }
                }
            }
        }
    }

    /// Orders a value and all that is inside it. Keys that are not in the plan go to the end, in the order
    /// that they had.
    pub fn apply(&self, value: &mut Value) {
        // Nothing is selected below a scalar, though its value may be an object.
        if self.0.is_empty() {
            return;
        }
        match value {
            Value::List(items) => items.iter_mut().for_each(|item| self.apply(item)),
            Value::Object(fields) => {
                for (key, below) in fields.iter_mut() {
                    if let Some(plan) = self.0.get(key) {
                        plan.apply(below);
                    }
                }
                let rank = |key: &Name| self.0.get_index_of(key).unwrap_or(usize::MAX);
                // Most objects are in order already; sorting would build their index anew.
                if !fields.keys().map(rank).is_sorted() {
                    fields.sort_by(|one, _, other, _| rank(one).cmp(&rank(other)));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_graphql::parser::parse_query;

    /// The text of `answer` after it was ordered as `query` asks.
    fn ordered(query: &str, answer: &str) -> String {
        let mut value: Value = serde_json::from_str(answer).unwrap();
        Plan::of(&parse_query(query).unwrap(), None).apply(&mut value);
        serde_json::to_string(&value).unwrap()
    }

    #[test]
    fn fields_and_aliases_keep_the_order_of_the_request() {
        assert_eq!(
            ordered("{ b z: a a { y x } }", r#"{"a":{"x":1,"y":2},"z":3,"b":4}"#),
            r#"{"b":4,"z":3,"a":{"y":2,"x":1}}"#
        );
    }

    #[test]
    fn fragments_stand_in_place() {
        let query = "{ d ...F ... on B { b } ... { a } e } fragment F on X { c { q p } d }";
        assert_eq!(
            ordered(query, r#"{"a":1,"b":2,"c":{"p":1,"q":2},"d":4,"e":5}"#),
            r#"{"d":4,"c":{"q":2,"p":1},"b":2,"a":1,"e":5}"#
        );
    }

    #[test]
    fn lists_are_ordered_inside() {
        assert_eq!(
            ordered("{ l { b a { d c } } }", r#"{"l":[[{"a":{"c":1,"d":2},"b":3}],null,{"b":4}]}"#),
            r#"{"l":[[{"b":3,"a":{"d":2,"c":1}}],null,{"b":4}]}"#
        );
    }

    #[test]
    fn fields_of_one_key_are_merged() {
        let query = "{ n { c } m n { b c } ...F } fragment F on Q { n { a } }";
        assert_eq!(
            ordered(query, r#"{"m":0,"n":{"a":1,"b":2,"c":3}}"#),
            r#"{"n":{"c":3,"b":2,"a":1},"m":0}"#
        );
    }

    #[test]
    fn what_the_plan_does_not_know_stays_behind_as_it_was() {
        assert_eq!(
            ordered("{ b a }", r#"{"z":1,"a":{"k":1,"c":2},"y":2,"b":3}"#),
            r#"{"b":3,"a":{"k":1,"c":2},"z":1,"y":2}"#
        );
        assert_eq!(ordered("{ b a }", "null"), "null");
    }

    #[test]
    fn the_named_operation_counts() {
        let document = parse_query("query A { a b } query B { b a }").unwrap();
        let mut value: Value = serde_json::from_str(r#"{"a":1,"b":2}"#).unwrap();
        Plan::of(&document, Some("C")).apply(&mut value);
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"a":1,"b":2}"#);
        Plan::of(&document, Some("B")).apply(&mut value);
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"b":2,"a":1}"#);
    }
}
