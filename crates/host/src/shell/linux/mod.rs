//! Processes on Linux.

mod attendant;
mod before_exec;
mod census;
mod command;
mod ending;
mod kernel;
mod process;
mod pump;
mod system;
mod walls;

pub(super) use process::Process;
pub(super) use system::System;
