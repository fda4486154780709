use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};

use futures::io::{AsyncRead, AsyncWrite};

/// The agent's standard input, as bytes in memory. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct AgentInput(Arc<Mutex<Unread>>);

#[derive(Default)]
struct Unread {
    bytes: Vec<u8>,
    /// How many of the bytes were read.
    read: usize,
    closed: bool,
    reader: Option<Waker>,
}

impl AgentInput {
    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut unread = self.unread();
        unread.bytes.extend_from_slice(bytes);
        unread.wake();
    }

    pub(crate) fn close(&self) {
        let mut unread = self.unread();
        unread.closed = true;
        unread.wake();
    }

    fn unread(&self) -> MutexGuard<'_, Unread> {
        self.0.lock().expect("no call that holds it panics")
    }
}

impl Unread {
    fn wake(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }
}

impl AsyncRead for AgentInput {
    fn poll_read(
        self: Pin<&mut AgentInput>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut unread = self.unread();
        let rest = &unread.bytes[unread.read..];
        if rest.is_empty() && !unread.closed {
            unread.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        unread.read += count;
        if unread.read == unread.bytes.len() {
            unread.bytes.clear();
            unread.read = 0;
        }
        Poll::Ready(Ok(count))
    }
}

/// The agent's standard output, as bytes in memory. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct AgentOutput(Arc<Mutex<Vec<u8>>>);

impl AgentOutput {
    /// Hands over what was written since the last call.
    pub(crate) fn take(&self, taker: impl FnOnce(&[u8])) {
        let mut written = self.written();
        taker(&written);
        written.clear();
    }

    fn written(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().expect("no call that holds it panics")
    }
}

impl AsyncWrite for AgentOutput {
    fn poll_write(
        self: Pin<&mut AgentOutput>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.written().extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut AgentOutput>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut AgentOutput>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
