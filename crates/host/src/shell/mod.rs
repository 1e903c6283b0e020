//! Commands in the system's shell, ended when told.
//!
//! [`Shell::execute`] runs one command with `/bin/sh` and answers in the protocol's format. It promises that
//!
//! - a command ends within its time-out plus 250 ms, with every process it started, whatever the command does;
//! - what was printed until then is kept;
//! - memory is bounded by [`ShellOptions::max_output_bytes`], however much is printed;
//! - standard input is empty, and no terminal can be reached;
//! - what a command left running in the background lives on, until [`Shell::close`] ends it.
//!
//! This is so on Linux. Elsewhere a command's process group is ended, which a process can leave, and there is no jail.
//!
//! With a [`Jail`] the kernel also bounds what a command can touch: see [`jail`].

pub mod jail;
#[cfg(target_os = "linux")]
mod linux;
mod options;
mod places;
#[cfg(any(not(target_os = "linux"), test))]
mod portable;
mod run;
mod transcript;

pub use jail::{Jail, JailRefused};
pub use options::ShellOptions;
pub use run::{Executed, Shell};
