//! The guard in front of the GraphQL engine: every request passes it, on every transport, before anything
//! of the engine's own runs on it. Must not know the schema.
//!
//! Bytes → [`lexical`] on the JSON → JSON → [`lexical`] on the document → parser → [`tree`] → a request that
//! carries the parsed document, so that nothing is parsed twice.

pub mod lexical;
mod merge;
mod refusal;
pub mod tree;

pub use refusal::{Excess, Refusal};

use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{Extensions, Request, Variables};
use serde::Deserialize;

/// The parameters of a GraphQL request as a transport delivers them.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct Parameters {
    /// The document.
    pub query: String,
    /// Which operation is meant.
    #[serde(default)]
    pub operation_name: Option<String>,
    /// Values for the operation's variables.
    #[serde(default)]
    pub variables: Variables,
    /// Free room for client and server.
    #[serde(default)]
    pub extensions: Extensions,
}

/// A request that may be executed.
#[derive(Debug)]
pub struct Admitted {
    /// With the parsed document inside.
    pub request: Request,
    /// What the one operation is.
    pub kind: OperationType,
    /// The root fields' names, in order, repeated as often as they are asked for.
    pub roots: Vec<String>,
    /// What the request costs: its fields with fragments expanded, and one for each hundred values.
    pub cost: u32,
    /// How many syntax nodes the guard itself looked at: bounded for any input, and tested to be.
    pub work: u64,
}

/// Reads the parameters out of a JSON object.
///
/// # Errors
/// Too large, too deep, a batch, or not such an object.
pub fn read_json(bytes: &[u8]) -> Result<Parameters, Refusal> {
    lexical::json(bytes)?;
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => {}
        Some(b'[') => return Err(Refusal::Batch),
        _ => return Err(Refusal::Malformed("the body must be a JSON object")),
    }
    serde_json::from_slice(bytes).map_err(|_| {
        Refusal::Malformed(
            "the JSON object must have query, and may have operationName, variables, extensions",
        )
    })
}

/// Judges a request and parses its document.
///
/// # Errors
/// The first reason against it.
pub fn admit(parameters: Parameters) -> Result<Admitted, Refusal> {
    lexical::document(&parameters.query)?;
    let document = parse(&parameters.query)?;
    let name = single_operation(&document, parameters.operation_name.as_deref())?;
    let report = tree::judge(&document, &parameters.variables)?;

    let mut request = Request::new(parameters.query).variables(parameters.variables);
    request.operation_name = name;
    request.extensions = parameters.extensions;
    request.set_parsed_query(document);
    Ok(Admitted {
        request,
        kind: report.kind,
        roots: report.roots,
        cost: report.cost,
        work: report.work,
    })
}

/// Parses a document that [`lexical::document`] has let through.
fn parse(text: &str) -> Result<ExecutableDocument, Refusal> {
    use async_graphql::parser::{Error, parse_query};
    parse_query(text).map_err(|error| match error {
        Error::MultipleOperations { .. } | Error::OperationDuplicated { .. } => {
            Refusal::ManyOperations
        }
        Error::RecursionLimitExceeded => Refusal::TooDeep,
        // The parser's own message quotes the document; the place is enough.
        Error::Syntax { start, .. } => Refusal::Syntax { at: Some(start) },
        Error::FragmentDuplicated { second, .. } => {
            Refusal::Invalid { what: "two fragments have one name", at: second }
        }
        _ => Refusal::Syntax { at: None },
    })
}

/// The name of the document's one operation.
fn single_operation(
    document: &ExecutableDocument,
    wanted: Option<&str>,
) -> Result<Option<String>, Refusal> {
    let mut operations = document.operations.iter();
    let name = operations.next().and_then(|(name, _)| name);
    if operations.next().is_some() {
        return Err(Refusal::ManyOperations);
    }
    match (wanted.filter(|wanted| !wanted.is_empty()), name) {
        (Some(wanted), Some(name)) if wanted == name.as_str() => {}
        (Some(_), _) => return Err(Refusal::UnknownOperation),
        (None, _) => {}
    }
    Ok(name.map(ToString::to_string))
}
