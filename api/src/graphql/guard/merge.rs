//! Refuses fields that share one place in the answer but are not the same field, at the first such pair.
//! The engine's own check reports every pair, each with a text: thousands of them from a few KiB.
//! Must only run on documents that the walk in [`super::tree`] has let through, which bounds its work.

use super::refusal::Refusal;
use async_graphql::Positioned;
use async_graphql::parser::types::{
    ExecutableDocument, Field, OperationDefinition, Selection, SelectionSet,
};
use std::collections::{HashMap, HashSet};

/// Checks every selection set of the document; answers how many selections were looked at.
///
/// # Errors
/// The first conflict.
pub(super) fn check(
    document: &ExecutableDocument,
    operation: &OperationDefinition,
) -> Result<u64, Refusal> {
    let mut work = 0;
    check_below(document, &operation.selection_set.node, &mut work)?;
    for fragment in document.fragments.values() {
        check_below(document, &fragment.node.selection_set.node, &mut work)?;
    }
    Ok(work)
}

/// This selection set and those that are written inside it.
fn check_below(
    document: &ExecutableDocument,
    set: &SelectionSet,
    work: &mut u64,
) -> Result<(), Refusal> {
    let mut answer = Answer { document, places: HashMap::new(), spread: HashSet::new(), work: 0 };
    answer.take(None, set)?;
    *work += answer.work;
    for selection in &set.items {
        match &selection.node {
            Selection::Field(field) => {
                check_below(document, &field.node.selection_set.node, work)?;
            }
            Selection::InlineFragment(inline) => {
                check_below(document, &inline.node.selection_set.node, work)?;
            }
            Selection::FragmentSpread(_) => {}
        }
    }
    Ok(())
}

struct Answer<'a> {
    document: &'a ExecutableDocument,
    places: HashMap<(Option<&'a str>, &'a str), &'a Field>,
    spread: HashSet<&'a str>,
    work: u64,
}

impl<'a> Answer<'a> {
    fn take(&mut self, on: Option<&'a str>, set: &'a SelectionSet) -> Result<(), Refusal> {
        for selection in &set.items {
            self.work += 1;
            match &selection.node {
                Selection::Field(field) => self.place(on, field)?,
                Selection::InlineFragment(inline) => {
                    let on = inline.node.type_condition.as_ref();
                    let on = on.map(|condition| condition.node.on.node.as_str());
                    self.take(on, &inline.node.selection_set.node)?;
                }
                Selection::FragmentSpread(spread) => {
                    let name = spread.node.fragment_name.node.as_str();
                    if let Some(fragment) = self.document.fragments.get(name)
                        && self.spread.insert(name)
                    {
                        let on = Some(fragment.node.type_condition.node.on.node.as_str());
                        self.take(on, &fragment.node.selection_set.node)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn place(&mut self, on: Option<&'a str>, field: &'a Positioned<Field>) -> Result<(), Refusal> {
        let new = &field.node;
        let key = (on, new.response_key().node.as_str());
        let Some(old) = self.places.get(&key) else {
            self.places.insert(key, new);
            return Ok(());
        };
        let same = old.name.node == new.name.node
            && old.arguments.len() == new.arguments.len()
            && old.arguments.iter().all(|(name, value)| {
                new.get_argument(&name.node).is_some_and(|other| value.node == other.node)
            });
        if same {
            Ok(())
        } else {
            Err(Refusal::Invalid {
                what: "two different fields share one place in the answer; give them aliases",
                at: field.pos,
            })
        }
    }
}
