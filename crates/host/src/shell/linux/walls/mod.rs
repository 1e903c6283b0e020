//! The walls of the [jail](crate::shell::jail).

mod bpf;
mod clerk;
mod confinement;
mod fence;
mod filter;
mod folder;

pub(super) use confinement::{Confinement, Walls};
