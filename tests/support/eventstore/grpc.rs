//! The services as gRPC: takes messages apart, asks the store, and lets planned mishaps happen. Whatever the
//! adapter does not ask for is answered as unimplemented, never guessed.

use super::messages::{
    Amount, AppendOptions, AppendReq, AppendResp, Part, Place, ReadOptions, ReadReq, ReadResp,
    Source, SupportedMethods,
};
use super::{Mishap, Point, Shared};
use futures_util::Stream;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::watch;
use tonic::body::BoxBody;
use tonic::codec::ProstCodec;
use tonic::codegen::{BoxFuture, Service, http};
use tonic::server::{
    ClientStreamingService, Grpc, NamedService, ServerStreamingService, UnaryService,
};
use tonic::{Request, Response, Status, Streaming};

type Answer = BoxFuture<http::Response<BoxBody>, Infallible>;

/// `event_store.client.streams.Streams`.
#[derive(Clone)]
pub(super) struct Streams(pub(super) Arc<Shared>);

impl NamedService for Streams {
    const NAME: &'static str = "event_store.client.streams.Streams";
}

impl Service<http::Request<BoxBody>> for Streams {
    type Response = http::Response<BoxBody>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<BoxBody>) -> Answer {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            Ok(match request.uri().path().rsplit('/').next() {
                Some("Append") => {
                    Grpc::new(ProstCodec::default()).client_streaming(Append(shared), request).await
                }
                Some("Read") => {
                    Grpc::new(ProstCodec::default()).server_streaming(Read(shared), request).await
                }
                _ => Status::unimplemented("not spoken here").into_http(),
            })
        })
    }
}

/// `event_store.client.server_features.ServerFeatures`: what the client asks first.
#[derive(Clone)]
pub(super) struct Features;

impl NamedService for Features {
    const NAME: &'static str = "event_store.client.server_features.ServerFeatures";
}

impl Service<http::Request<BoxBody>> for Features {
    type Response = http::Response<BoxBody>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<BoxBody>) -> Answer {
        Box::pin(async move {
            Ok(Grpc::new(ProstCodec::default()).unary(SupportedMethodsOf, request).await)
        })
    }
}

struct SupportedMethodsOf;

impl UnaryService<()> for SupportedMethodsOf {
    type Response = SupportedMethods;
    type Future = BoxFuture<Response<SupportedMethods>, Status>;

    fn call(&mut self, _: Request<()>) -> Self::Future {
        let version = "23.10.0".to_owned();
        Box::pin(async { Ok(Response::new(SupportedMethods { version })) })
    }
}

struct Append(Arc<Shared>);

impl ClientStreamingService<AppendReq> for Append {
    type Response = AppendResp;
    type Future = BoxFuture<Response<AppendResp>, Status>;

    fn call(&mut self, request: Request<Streaming<AppendReq>>) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let mut parts = request.into_inner();
            let (mut options, mut events) = (None, Vec::new());
            while let Some(part) = parts.message().await? {
                match part.part {
                    Some(Part::Options(sent)) => options = Some(sent),
                    Some(Part::Event(event)) => events.push(event),
                    None => return Err(Status::invalid_argument("an empty message")),
                }
            }
            let Some(AppendOptions { stream: Some(stream), expected: Some(expected) }) = options
            else {
                return Err(Status::invalid_argument("an append without options"));
            };
            shared.pass(Point::BeforeStoring).await?;
            let outcome = shared.store().append(&stream.name, &expected, events)?;
            shared.pass(Point::AfterStoring).await?;
            Ok(Response::new(AppendResp { outcome: Some(outcome) }))
        })
    }
}

struct Read(Arc<Shared>);

type Answers = Pin<Box<dyn Stream<Item = Result<ReadResp, Status>> + Send>>;

impl ServerStreamingService<ReadReq> for Read {
    type Response = ReadResp;
    type ResponseStream = Answers;
    type Future = BoxFuture<Response<Answers>, Status>;

    fn call(&mut self, request: Request<ReadReq>) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let options = request.into_inner().options;
            let options = options.ok_or_else(|| Status::invalid_argument("no options"))?;
            let answers = shared.read(&options)?.into_iter().map(Ok);
            let answers: Answers = Box::pin(futures_util::stream::iter(answers));
            Ok(Response::new(answers))
        })
    }
}

impl Shared {
    fn read(&self, options: &ReadOptions) -> Result<Vec<ReadResp>, Status> {
        let Some(Amount::Count(count)) = &options.amount else {
            return Err(Status::unimplemented("a subscription"));
        };
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        let backwards = options.direction != 0;
        match &options.source {
            Some(Source::Stream(source)) => {
                let (Some(stream), Some(revision)) = (&source.stream, &source.revision) else {
                    return Err(Status::invalid_argument("a read without a stream"));
                };
                Ok(self.store().stream(&stream.name, revision, backwards, count))
            }
            Some(Source::All(source)) if !backwards => match &source.place {
                Some(Place::At(position)) => self.store().all(Some(position.commit), count),
                Some(Place::Start(())) => self.store().all(None, count),
                _ => Err(Status::unimplemented("reading on from the end")),
            },
            _ => Err(Status::unimplemented("reading the log backwards")),
        }
    }

    /// Lets happen what is planned for this point.
    async fn pass(&self, here: Point) -> Result<(), Status> {
        let mishap = match &mut *self.plan() {
            Some((point, mishap, left)) if *point == here && *left > 0 => {
                *left -= 1;
                *mishap
            }
            _ => return Ok(()),
        };
        if mishap == Mishap::Cut {
            self.line.cut();
            return Err(Status::unavailable("as planned"));
        }
        let _held = Held::new(&self.held);
        match self.open.subscribe().wait_for(|open| *open).await {
            Ok(_) => Ok(()),
            Err(_) => Err(Status::unavailable("it is gone")),
        }
    }
}

/// Counts an append as held, also where its sender goes away.
struct Held<'a>(&'a watch::Sender<usize>);

impl<'a> Held<'a> {
    fn new(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|held| *held += 1);
        Self(count)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|held| *held -= 1);
    }
}
