//! The program's own log and the spans for a collector. One subscriber for the process; whatever speaks does
//! so through `tracing`. Must be handed its settings, and must be stopped before the runtime ends, or the last
//! spans are lost.

mod repeats;

use crate::app::BUILD;
use crate::settings::kinds::LogFormat;
use crate::settings::tree::{Otlp, Tracing};
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter as Http, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use repeats::{Repeats, WINDOW};
use std::io::IsTerminal as _;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

/// What has begun to listen.
pub struct Telemetry {
    spans: Option<SdkTracerProvider>,
    repeats: Repeats,
    counting: JoinHandle<()>,
}

impl Telemetry {
    /// Begins to listen to everything that the process says. To be called inside the runtime.
    ///
    /// # Errors
    /// The collector's address cannot be used. Whether it answers is not asked: the server does not need it.
    pub fn begin(log: &Tracing, otlp: &Otlp, node: &str) -> Result<Self, String> {
        let filter = EnvFilter::try_new(&log.filter.0).map_err(|error| error.to_string())?;
        let ansi = std::io::stderr().is_terminal();
        let written = fmt::layer().with_writer(std::io::stderr).with_ansi(ansi);
        let written = match log.format {
            LogFormat::Pretty => written.compact().boxed(),
            LogFormat::Json => written.json().boxed(),
        };
        let repeats = Repeats::default();
        let written = written.with_filter(repeats.clone());
        let spans = spans(otlp, node)?;
        let sent = spans.as_ref().map(|provider| {
            let tracer = provider.tracer("yibu");
            tracing_opentelemetry::layer().with_tracer(tracer).with_location(false)
        });
        let whole = tracing_subscriber::registry().with(filter).with(written).with(sent);
        // Set already only where somebody embeds this program; theirs is as good.
        let _ = whole.try_init();
        let counting = tokio::spawn({
            let repeats = repeats.clone();
            async move {
                loop {
                    tokio::time::sleep(WINDOW).await;
                    repeats.tell();
                }
            }
        });
        Ok(Self { spans, repeats, counting })
    }

    /// Says and sends what is left.
    pub async fn end(self) {
        self.counting.abort();
        self.repeats.tell();
        let Some(spans) = self.spans else { return };
        // It waits for the exporter, which needs this runtime meanwhile.
        let ended = tokio::task::spawn_blocking(move || spans.shutdown()).await;
        if let Ok(Err(fault)) = ended {
            tracing::warn!(%fault, "the last spans could not be sent");
        }
    }
}

fn spans(otlp: &Otlp, node: &str) -> Result<Option<SdkTracerProvider>, String> {
    let Some(collector) = &otlp.endpoint else { return Ok(None) };
    let endpoint = format!("{}/v1/traces", collector.0.trim_end_matches('/'));
    let exporter = Http::builder().with_http().with_endpoint(&endpoint).build();
    let exporter = exporter.map_err(|error| format!("otlp.endpoint = {endpoint}: {error}"))?;
    let exporter = OnRuntime { exporter: Arc::new(exporter), runtime: Handle::current() };
    let resource = Resource::builder_empty()
        .with_service_name(otlp.service.0.clone())
        .with_attribute(KeyValue::new("service.version", BUILD))
        .with_attribute(KeyValue::new("service.instance.id", node.to_owned()))
        .build();
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter);
    Ok(Some(provider.with_resource(resource).build()))
}

/// The batches are made on a thread of their own, which knows no runtime; the exporter needs one.
#[derive(Debug)]
struct OnRuntime {
    exporter: Arc<Http>,
    runtime: Handle,
}

impl SpanExporter for OnRuntime {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let exporter = Arc::clone(&self.exporter);
        let sent = self.runtime.spawn(async move { exporter.export(batch).await }).await;
        sent.unwrap_or_else(|error| Err(OTelSdkError::InternalFailure(error.to_string())))
    }

    fn set_resource(&mut self, resource: &Resource) {
        // Called before the first batch, when nobody else holds it.
        if let Some(exporter) = Arc::get_mut(&mut self.exporter) {
            exporter.set_resource(resource);
        }
    }
}
