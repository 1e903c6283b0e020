//! What deepfs does on a host: commands in a shell.

pub mod shell;
