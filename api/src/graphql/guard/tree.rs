//! Counts what a parsed document asks for, with fragments expanded but each fragment weighed once. Must not
//! know the schema. Recursion is bounded: [`super::lexical`] bounds the nesting of each definition, and
//! [`MAX_LEVELS`] bounds what fragments add to it.

use super::lexical::MAX_NESTING;
use super::merge;
use super::refusal::{Excess, Refusal};
use async_graphql::parser::types::{
    Directive, ExecutableDocument, Field, FragmentDefinition, OperationDefinition, OperationType,
    Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Value as ConstValue, Variables};
use async_graphql_value::Value;
use std::collections::HashMap;

/// The most fields below each other.
pub const MAX_DEPTH: u32 = 20;
/// The most selection sets inside each other, fragments expanded.
pub const MAX_LEVELS: u32 = MAX_NESTING;
/// The most fields, fragments expanded.
pub const MAX_FIELDS: u64 = 1_000;
/// The most aliases, fragments expanded.
pub const MAX_ALIASES: u64 = 60;
/// The most directives, fragments expanded; every place counts, the operation itself too.
pub const MAX_DIRECTIVES: u64 = 40;
/// The most arguments of one field or directive.
pub const MAX_ARGUMENTS: usize = 16;
/// The most values in arguments, fragments expanded, each use of a variable weighed as its value.
pub const MAX_VALUES: u64 = 10_000;
/// The most spreads and inline fragments, fragments expanded.
pub const MAX_SPREADS: u64 = 200;
/// The most fragment definitions.
pub const MAX_FRAGMENTS: usize = 40;
/// The most variable definitions.
pub const MAX_VARIABLES: usize = 40;
/// The most root fields of a query.
pub const MAX_QUERY_ROOTS: usize = 30;
/// The most root fields of a mutation: they run one after the other.
pub const MAX_MUTATION_ROOTS: usize = 5;
/// The most lists inside lists that one question to the introspection may follow.
pub const MAX_INTROSPECTION_LISTS: u32 = 2;

/// What a judged document asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What the operation is.
    pub kind: OperationType,
    /// Root fields in order, repeated as often as they are asked for.
    pub roots: Vec<String>,
    /// Fields, and one for each hundred values.
    pub cost: u32,
    /// Syntax nodes that were looked at.
    pub work: u64,
}

/// What a part of a document weighs; sums saturate, so that doubling fragments end at the limit.
#[derive(Clone, Copy, Default)]
struct Weight {
    fields: u64,
    aliases: u64,
    directives: u64,
    values: u64,
    spreads: u64,
    depth: u32,
    levels: u32,
    lists: u32,
}

impl Weight {
    /// Takes in something that stands beside.
    fn add(&mut self, other: Self) {
        self.fields = self.fields.saturating_add(other.fields);
        self.aliases = self.aliases.saturating_add(other.aliases);
        self.directives = self.directives.saturating_add(other.directives);
        self.values = self.values.saturating_add(other.values);
        self.spreads = self.spreads.saturating_add(other.spreads);
        self.depth = self.depth.max(other.depth);
        self.levels = self.levels.max(other.levels);
        self.lists = self.lists.max(other.lists);
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.depth > MAX_DEPTH || self.levels > MAX_LEVELS {
            return Err(Refusal::TooDeep);
        }
        let excess = if self.fields > MAX_FIELDS {
            Excess::Fields
        } else if self.aliases > MAX_ALIASES {
            Excess::Aliases
        } else if self.directives > MAX_DIRECTIVES {
            Excess::Directives
        } else if self.values > MAX_VALUES {
            Excess::Values
        } else if self.spreads > MAX_SPREADS {
            Excess::Fragments
        } else {
            return Ok(());
        };
        Err(Refusal::TooComplex(excess))
    }
}

/// Judges a document with exactly one operation.
///
/// # Errors
/// The first limit or rule that it breaks.
pub fn judge(document: &ExecutableDocument, variables: &Variables) -> Result<Report, Refusal> {
    let Some((_, operation)) = document.operations.iter().next() else {
        return Err(Refusal::Syntax { at: None });
    };
    if document.fragments.len() > MAX_FRAGMENTS {
        return Err(Refusal::TooComplex(Excess::Fragments));
    }
    let operation = &operation.node;
    let mut walk = Walk {
        document,
        values: variable_weights(operation, variables)?,
        fragments: HashMap::new(),
        work: 0,
    };
    let mut weight = walk.directives(&operation.directives)?;
    for definition in &operation.variable_definitions {
        weight.add(walk.directives(&definition.node.directives)?);
    }
    weight.add(walk.set(&operation.selection_set.node, 1)?);
    weight.check()?;
    for (name, fragment) in &document.fragments {
        if !walk.fragments.contains_key(name) {
            return Err(Refusal::Invalid { what: "a fragment is never used", at: fragment.pos });
        }
    }
    let mut work = walk.work;
    let roots = roots(document, operation)?;
    work += merge::check(document, operation)?;
    Ok(Report {
        kind: operation.ty,
        roots,
        cost: u32::try_from(weight.fields + weight.values / 100).unwrap_or(u32::MAX),
        work,
    })
}

/// What each variable weighs where it is used; required ones must be there.
fn variable_weights<'a>(
    operation: &'a OperationDefinition,
    variables: &Variables,
) -> Result<HashMap<&'a str, u64>, Refusal> {
    if operation.variable_definitions.len() > MAX_VARIABLES {
        return Err(Refusal::TooComplex(Excess::Variables));
    }
    let mut weights = HashMap::new();
    for definition in &operation.variable_definitions {
        let variable = &definition.node;
        let given = variables.get(&variable.name.node);
        let default = variable.default_value();
        let required = !variable.var_type.node.nullable;
        let missing = match given {
            None => default.is_none(),
            Some(value) => *value == ConstValue::Null,
        };
        if required && missing {
            return Err(Refusal::VariableMissing { at: definition.pos });
        }
        let weight = given.map_or(0, const_weight).max(default.map_or(0, const_weight));
        weights.insert(variable.name.node.as_str(), weight);
    }
    Ok(weights)
}

/// Values, and one more for each 64 bytes of text. Nesting is bounded by the scan of the JSON.
fn const_weight(value: &ConstValue) -> u64 {
    match value {
        ConstValue::String(text) => text_weight(text),
        ConstValue::List(items) => items.iter().map(const_weight).sum::<u64>() + 1,
        ConstValue::Object(fields) => {
            fields.iter().map(|(name, value)| text_weight(name) + const_weight(value)).sum::<u64>()
                + 1
        }
        _ => 1,
    }
}

const fn text_weight(text: &str) -> u64 {
    1 + text.len() as u64 / 64
}

struct Walk<'a> {
    document: &'a ExecutableDocument,
    values: HashMap<&'a str, u64>,
    /// `None` while a fragment is being weighed: who meets it then is inside it.
    fragments: HashMap<&'a Name, Option<Weight>>,
    work: u64,
}

impl<'a> Walk<'a> {
    /// Weighs a selection set that has `level` sets around and including it.
    fn set(&mut self, set: &'a SelectionSet, level: u32) -> Result<Weight, Refusal> {
        if level > MAX_LEVELS {
            return Err(Refusal::TooDeep);
        }
        let mut sum = Weight::default();
        for selection in &set.items {
            self.work += 1;
            let part = match &selection.node {
                Selection::Field(field) => self.field(&field.node, level)?,
                Selection::InlineFragment(inline) => {
                    let mut part = self.set(&inline.node.selection_set.node, level + 1)?;
                    part.spreads = part.spreads.saturating_add(1);
                    part.add(self.directives(&inline.node.directives)?);
                    part
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    // An unknown name is left to the engine, which says so.
                    let mut part = match self.document.fragments.get_key_value(name) {
                        Some((name, fragment)) => self.fragment(name, fragment, level + 1)?,
                        None => Weight::default(),
                    };
                    part.spreads = part.spreads.saturating_add(1);
                    part.add(self.directives(&spread.node.directives)?);
                    part
                }
            };
            sum.add(part);
        }
        sum.levels += 1;
        sum.check()?;
        Ok(sum)
    }

    fn field(&mut self, field: &'a Field, level: u32) -> Result<Weight, Refusal> {
        let mut part = if field.selection_set.node.items.is_empty() {
            Weight::default()
        } else {
            self.set(&field.selection_set.node, level + 1)?
        };
        part.fields = part.fields.saturating_add(1);
        part.aliases = part.aliases.saturating_add(u64::from(field.alias.is_some()));
        part.values = part.values.saturating_add(self.arguments(&field.arguments)?);
        part.depth += 1;
        let name = field.name.node.as_str();
        if matches!(name, "fields" | "inputFields" | "interfaces" | "possibleTypes") {
            part.lists += 1;
        } else if matches!(name, "__schema" | "__type") && part.lists > MAX_INTROSPECTION_LISTS {
            return Err(Refusal::TooComplex(Excess::Introspection));
        }
        part.add(self.directives(&field.directives)?);
        Ok(part)
    }

    fn fragment(
        &mut self,
        name: &'a Name,
        fragment: &'a Positioned<FragmentDefinition>,
        level: u32,
    ) -> Result<Weight, Refusal> {
        match self.fragments.get(name) {
            Some(Some(weight)) if level - 1 + weight.levels > MAX_LEVELS => Err(Refusal::TooDeep),
            Some(Some(weight)) => Ok(*weight),
            Some(None) => {
                Err(Refusal::Invalid { what: "a fragment contains itself", at: fragment.pos })
            }
            None => {
                self.fragments.insert(name, None);
                let mut weight = self.set(&fragment.node.selection_set.node, level)?;
                weight.add(self.directives(&fragment.node.directives)?);
                self.fragments.insert(name, Some(weight));
                Ok(weight)
            }
        }
    }

    fn directives(&mut self, directives: &'a [Positioned<Directive>]) -> Result<Weight, Refusal> {
        let mut weight = Weight { directives: directives.len() as u64, ..Weight::default() };
        for directive in directives {
            weight.values =
                weight.values.saturating_add(self.arguments(&directive.node.arguments)?);
        }
        Ok(weight)
    }

    fn arguments(
        &mut self,
        arguments: &'a [(Positioned<Name>, Positioned<Value>)],
    ) -> Result<u64, Refusal> {
        if arguments.len() > MAX_ARGUMENTS {
            return Err(Refusal::TooComplex(Excess::Arguments));
        }
        let mut sum = 0_u64;
        for (_, value) in arguments {
            sum = sum.saturating_add(self.value(&value.node));
        }
        Ok(sum)
    }

    fn value(&mut self, value: &Value) -> u64 {
        self.work += 1;
        match value {
            Value::Variable(name) => self.values.get(name.as_str()).copied().unwrap_or(0).max(1),
            Value::String(text) => text_weight(text),
            Value::List(items) => {
                items.iter().fold(1, |sum: u64, item| sum.saturating_add(self.value(item)))
            }
            Value::Object(fields) => fields
                .values()
                .fold(1, |sum: u64, item| sum.saturating_add(self.value(item)).saturating_add(1)),
            _ => 1,
        }
    }
}

/// The root fields with fragments expanded; the walk before has bounded their number and refused cycles.
fn roots(
    document: &ExecutableDocument,
    operation: &OperationDefinition,
) -> Result<Vec<String>, Refusal> {
    fn collect(document: &ExecutableDocument, set: &SelectionSet, roots: &mut Vec<String>) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => roots.push(field.node.name.node.to_string()),
                Selection::InlineFragment(inline) => {
                    collect(document, &inline.node.selection_set.node, roots);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = document.fragments.get(&spread.node.fragment_name.node)
                    {
                        collect(document, &fragment.node.selection_set.node, roots);
                    }
                }
            }
        }
    }
    let mut roots = Vec::new();
    collect(document, &operation.selection_set.node, &mut roots);
    let most = match operation.ty {
        OperationType::Query => MAX_QUERY_ROOTS,
        OperationType::Mutation => MAX_MUTATION_ROOTS,
        OperationType::Subscription => 1,
    };
    if roots.len() > most {
        return Err(Refusal::TooComplex(Excess::Roots));
    }
    Ok(roots)
}
