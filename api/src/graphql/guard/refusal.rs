//! Why the guard turns a request away, with stable codes. Must not repeat what the client sent.

use async_graphql::{ErrorExtensionValues, Pos, ServerError};

/// What a request has too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// Fields, fragments expanded.
    Fields,
    /// Aliases, fragments expanded.
    Aliases,
    /// Directives, at every place where they may stand.
    Directives,
    /// Arguments of one field or directive.
    Arguments,
    /// Values in arguments, variables put in.
    Values,
    /// Fragment definitions or selections without a field of their own.
    Fragments,
    /// Variable definitions.
    Variables,
    /// Root fields of one operation.
    Roots,
    /// Lists inside lists of the introspection.
    Introspection,
}

impl Excess {
    /// The name that the client reads.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fields => "fields",
            Self::Aliases => "aliases",
            Self::Directives => "directives",
            Self::Arguments => "arguments",
            Self::Values => "values",
            Self::Fragments => "fragments",
            Self::Variables => "variables",
            Self::Roots => "root fields",
            Self::Introspection => "nested introspection lists",
        }
    }
}

/// Why a request was turned away before it was executed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Not a GraphQL request as the transport defines it; the text says what is missing.
    #[error("{0}")]
    Malformed(&'static str),
    /// Several requests at once.
    #[error("send one request at a time")]
    Batch,
    /// More bytes, tokens or longer words than are read.
    #[error("the request is too large")]
    TooLarge,
    /// Nested deeper than is read.
    #[error("the request is nested too deeply")]
    TooDeep,
    /// More work than one request may ask for.
    #[error("the request asks for too many {}", .0.name())]
    TooComplex(Excess),
    /// The document is not GraphQL.
    #[error("the document has a syntax error")]
    Syntax {
        /// Where, if known.
        at: Option<Pos>,
    },
    /// The document holds several operations.
    #[error("a document may hold one operation")]
    ManyOperations,
    /// `operationName` names another operation than the document's.
    #[error("the document has no operation of this name")]
    UnknownOperation,
    /// The document breaks a rule of GraphQL that the guard checks itself because the general check costs too much.
    #[error("{what}")]
    Invalid {
        /// The rule.
        what: &'static str,
        /// Where.
        at: Pos,
    },
    /// A required variable is missing or null.
    #[error("a required variable is missing")]
    VariableMissing {
        /// Where it is defined.
        at: Pos,
    },
}

impl Refusal {
    /// The stable code in `extensions.code`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "REQUEST_MALFORMED",
            Self::Batch => "REQUEST_BATCH",
            Self::TooLarge => "REQUEST_TOO_LARGE",
            Self::TooDeep => "REQUEST_TOO_DEEP",
            Self::TooComplex(_) => "REQUEST_TOO_COMPLEX",
            Self::Syntax { .. } => "REQUEST_SYNTAX",
            Self::ManyOperations => "REQUEST_MANY_OPERATIONS",
            Self::UnknownOperation => "REQUEST_UNKNOWN_OPERATION",
            Self::Invalid { .. } => "REQUEST_INVALID",
            Self::VariableMissing { .. } => "REQUEST_VARIABLES",
        }
    }

    /// Whether the request was well formed and only its document or variables are wrong: such errors are
    /// answered with status 200 to clients that accept only `application/json`.
    pub const fn is_about_document(&self) -> bool {
        matches!(
            self,
            Self::Syntax { .. }
                | Self::UnknownOperation
                | Self::Invalid { .. }
                | Self::VariableMissing { .. }
        )
    }

    /// The refusal as an entry of `errors[]`.
    pub fn to_error(&self) -> ServerError {
        let at = match self {
            Self::Syntax { at } => *at,
            Self::Invalid { at, .. } | Self::VariableMissing { at } => Some(*at),
            _ => None,
        };
        let mut error = ServerError::new(self.to_string(), at);
        let mut extensions = ErrorExtensionValues::default();
        extensions.set("code", self.code());
        error.extensions = Some(extensions);
        error
    }
}
