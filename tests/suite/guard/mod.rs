//! The guard against hostile documents.

mod counts;
mod garbage;
mod hostile;
mod limits;

use async_graphql::Variables;
use yibu_api::graphql::guard::{self, Admitted, Parameters, Refusal};

/// A request with this document and nothing else.
fn admit(query: &str) -> Result<Admitted, Refusal> {
    guard::admit(Parameters { query: query.to_owned(), ..Parameters::default() })
}

/// A request with variables.
fn admit_with(query: &str, variables: serde_json::Value) -> Result<Admitted, Refusal> {
    let variables = Variables::from_json(variables);
    guard::admit(Parameters { query: query.to_owned(), variables, ..Parameters::default() })
}

fn code(query: &str) -> &'static str {
    admit(query).map_or_else(|refusal| refusal.code(), |_| "ok")
}
