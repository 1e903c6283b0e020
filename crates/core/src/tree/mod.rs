//! Folders of flat keys: what memory, graph state and stores need, where a folder exists only as the start of some key.

mod children;
mod key;
mod order;
mod subtree;

#[cfg(test)]
mod tests;

pub use children::{Child, ChildKind, children};
pub use key::normal_key;
pub use order::listing_order;
pub use subtree::{Below, below, subtree};
