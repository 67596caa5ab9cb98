//! The GraphQL schema: types, queries, mutations, subscriptions over the inside that [`crate::app`] builds.
//! Must not decide anything about a match: it names audiences, calls executors and read models, and renders.

pub mod errors;
pub mod guard;
pub mod ids;
pub mod mutation;
pub mod names;
pub mod order;
pub mod query;
pub mod scalars;
pub mod subscription;
pub mod types;
pub mod viewer;

use crate::app::App;
use async_graphql::dataloader::DataLoader;
use async_graphql::{SDLExportOptions, Schema};
use std::sync::Arc;
use std::time::Duration;

/// The whole schema.
pub type YibuSchema = Schema<query::Query, mutation::Mutation, subscription::Subscription>;

/// The schema over an inside.
pub fn schema(app: &Arc<App>) -> YibuSchema {
    let names = names::Names::new(app.accounts().clone());
    Schema::build(query::Query, mutation::Mutation::default(), subscription::Subscription)
        .data(Arc::clone(app))
        // Whoever loads in one poll is served together; nobody waits for more.
        .data(DataLoader::new(names, tokio::spawn).delay(Duration::ZERO))
        .finish()
}

/// The schema as text, the same for every build: `api/schema.graphql`.
pub fn schema_text() -> String {
    let schema =
        Schema::build(query::Query, mutation::Mutation::default(), subscription::Subscription)
            .finish();
    let options = SDLExportOptions::new()
        .sorted_fields()
        .sorted_arguments()
        .sorted_enum_items()
        .include_specified_by();
    let mut text = schema.sdl_with_options(options).trim().to_owned();
    text.push('\n');
    text
}
