//! Bytes to message.
