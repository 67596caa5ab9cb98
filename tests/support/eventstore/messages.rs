//! The messages of the public Streams protocol (`event_store.client.streams`, version 1), as far as the client
//! sends and understands them, written by hand after the published field numbers. Holds no behaviour.

use prost::bytes::Bytes;
use prost::{Message, Oneof};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Uuid {
    #[prost(oneof = "UuidValue", tags = "1, 2")]
    pub(super) value: Option<UuidValue>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum UuidValue {
    #[prost(message, tag = "1")]
    Structured(Structured),
    #[prost(string, tag = "2")]
    Text(String),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Structured {
    #[prost(int64, tag = "1")]
    pub(super) most: i64,
    #[prost(int64, tag = "2")]
    pub(super) least: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StreamName {
    #[prost(bytes = "bytes", tag = "3")]
    pub(super) name: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Position {
    #[prost(uint64, tag = "1")]
    pub(super) commit: u64,
    #[prost(uint64, tag = "2")]
    pub(super) prepare: u64,
}

// ---- reading

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReadReq {
    #[prost(message, optional, tag = "1")]
    pub(super) options: Option<ReadOptions>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReadOptions {
    #[prost(oneof = "Source", tags = "1, 2")]
    pub(super) source: Option<Source>,
    /// 0 forwards, 1 backwards.
    #[prost(int32, tag = "3")]
    pub(super) direction: i32,
    #[prost(oneof = "Amount", tags = "5, 6")]
    pub(super) amount: Option<Amount>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Source {
    #[prost(message, tag = "1")]
    Stream(StreamSource),
    #[prost(message, tag = "2")]
    All(AllSource),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StreamSource {
    #[prost(message, optional, tag = "1")]
    pub(super) stream: Option<StreamName>,
    #[prost(oneof = "Revision", tags = "2, 3, 4")]
    pub(super) revision: Option<Revision>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Revision {
    #[prost(uint64, tag = "2")]
    At(u64),
    #[prost(message, tag = "3")]
    Start(()),
    #[prost(message, tag = "4")]
    End(()),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AllSource {
    #[prost(oneof = "Place", tags = "1, 2, 3")]
    pub(super) place: Option<Place>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Place {
    #[prost(message, tag = "1")]
    At(Position),
    #[prost(message, tag = "2")]
    Start(()),
    #[prost(message, tag = "3")]
    End(()),
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Amount {
    #[prost(uint64, tag = "5")]
    Count(u64),
    #[prost(message, tag = "6")]
    Subscription(()),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReadResp {
    #[prost(oneof = "Content", tags = "1, 4")]
    pub(super) content: Option<Content>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Content {
    #[prost(message, tag = "1")]
    Event(ReadEvent),
    #[prost(message, tag = "4")]
    NotFound(NotFound),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct NotFound {
    #[prost(message, optional, tag = "1")]
    pub(super) stream: Option<StreamName>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReadEvent {
    #[prost(message, optional, tag = "1")]
    pub(super) event: Option<RecordedEvent>,
    #[prost(uint64, optional, tag = "3")]
    pub(super) commit_position: Option<u64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RecordedEvent {
    #[prost(message, optional, tag = "1")]
    pub(super) id: Option<Uuid>,
    #[prost(message, optional, tag = "2")]
    pub(super) stream: Option<StreamName>,
    #[prost(uint64, tag = "3")]
    pub(super) revision: u64,
    #[prost(uint64, tag = "4")]
    pub(super) prepare_position: u64,
    #[prost(uint64, tag = "5")]
    pub(super) commit_position: u64,
    #[prost(map = "string, string", tag = "6")]
    pub(super) metadata: HashMap<String, String>,
    #[prost(bytes = "bytes", tag = "7")]
    pub(super) custom_metadata: Bytes,
    #[prost(bytes = "bytes", tag = "8")]
    pub(super) data: Bytes,
}

// ---- appending

#[derive(Clone, PartialEq, Message)]
pub(super) struct AppendReq {
    #[prost(oneof = "Part", tags = "1, 2")]
    pub(super) part: Option<Part>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Part {
    #[prost(message, tag = "1")]
    Options(AppendOptions),
    #[prost(message, tag = "2")]
    Event(ProposedEvent),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AppendOptions {
    #[prost(message, optional, tag = "1")]
    pub(super) stream: Option<StreamName>,
    #[prost(oneof = "Expected", tags = "2, 3, 4, 5")]
    pub(super) expected: Option<Expected>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Expected {
    #[prost(uint64, tag = "2")]
    Revision(u64),
    #[prost(message, tag = "3")]
    NoStream(()),
    #[prost(message, tag = "4")]
    Any(()),
    #[prost(message, tag = "5")]
    Exists(()),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ProposedEvent {
    #[prost(message, optional, tag = "1")]
    pub(super) id: Option<Uuid>,
    #[prost(map = "string, string", tag = "2")]
    pub(super) metadata: HashMap<String, String>,
    #[prost(bytes = "bytes", tag = "3")]
    pub(super) custom_metadata: Bytes,
    #[prost(bytes = "bytes", tag = "4")]
    pub(super) data: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AppendResp {
    #[prost(oneof = "Outcome", tags = "1, 2")]
    pub(super) outcome: Option<Outcome>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Outcome {
    #[prost(message, tag = "1")]
    Success(Success),
    #[prost(message, tag = "2")]
    Wrong(WrongVersion),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Success {
    #[prost(uint64, optional, tag = "1")]
    pub(super) current_revision: Option<u64>,
    #[prost(message, optional, tag = "3")]
    pub(super) position: Option<Position>,
    #[prost(message, optional, tag = "4")]
    pub(super) no_position: Option<()>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct WrongVersion {
    #[prost(uint64, optional, tag = "6")]
    pub(super) current_revision: Option<u64>,
    #[prost(message, optional, tag = "7")]
    pub(super) current_no_stream: Option<()>,
    #[prost(uint64, optional, tag = "8")]
    pub(super) expected_revision: Option<u64>,
    #[prost(message, optional, tag = "11")]
    pub(super) expected_no_stream: Option<()>,
}

// ---- features

#[derive(Clone, PartialEq, Message)]
pub(super) struct SupportedMethods {
    #[prost(string, tag = "2")]
    pub(super) version: String,
}
