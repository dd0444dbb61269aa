//! HTTP over the engine's socket, one connection a request: on a socket of the same machine a pool saves nothing.

use super::Line;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, header};
use hyper_util::rt::TokioIo;

/// The name by which the engine knows itself.
const HOST: &str = "hap.app";

/// A request that got no answer. `sent` is false when the engine cannot have seen it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) sent: bool,
    pub(crate) words: String,
}

fn before(error: impl std::fmt::Display) -> Failure {
    Failure { sent: false, words: error.to_string() }
}

fn after(error: impl std::fmt::Display) -> Failure {
    Failure { sent: true, words: error.to_string() }
}

#[cfg(unix)]
async fn connect(line: &Line) -> std::io::Result<tokio::net::UnixStream> {
    tokio::net::UnixStream::connect(&line.socket).await
}

#[cfg(windows)]
async fn connect(line: &Line) -> std::io::Result<tokio::net::windows::named_pipe::NamedPipeClient> {
    tokio::net::windows::named_pipe::ClientOptions::new().open(&line.socket)
}

async fn send(line: &Line, method: &str, path: &str, body: Option<String>) -> Result<Response<Incoming>, Failure> {
    let socket = connect(line).await.map_err(before)?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(socket)).await.map_err(before)?;
    tokio::spawn(connection);
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, HOST)
        .header(header::AUTHORIZATION, format!("Bearer {}", line.secret));
    if body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let request = request.body(Full::new(Bytes::from(body.unwrap_or_default()))).map_err(before)?;
    sender.send_request(request).await.map_err(after)
}

/// Send a request and read the whole answer.
pub(crate) async fn request(line: &Line, method: &str, path: &str, body: Option<String>) -> Result<(u16, Bytes), Failure> {
    let response = send(line, method, path, body).await?;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.map_err(after)?;
    Ok((status, body.to_bytes()))
}

/// Read an answer as it comes; `take` gets each piece, with the status, until it returns false.
pub(crate) async fn stream(line: &Line, path: &str, mut take: impl FnMut(u16, &[u8]) -> bool) -> Result<(), Failure> {
    let response = send(line, "GET", path, None).await?;
    let status = response.status().as_u16();
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(after)?;
        if frame.data_ref().is_some_and(|data| !take(status, data)) {
            return Ok(());
        }
    }
    Ok(())
}
