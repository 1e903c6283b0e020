//! Files on a disk: [`Disk`].
//!
//! Every open goes through one gate, which lets the kernel decide what lies below the root.

mod control;
mod dress;
mod entries;
mod fault;
mod folder;
mod folder_reader;
mod gate;
mod inplace;
mod known_folders;
mod leftovers;
mod line_indexes;
mod links;
mod lock;
mod names;
mod options;
mod remove;
mod replace;
mod same_letters;
mod source;
mod staged;
mod stat;
mod storage;
mod target;
mod version;
mod walk;

pub use control::Deadline;
pub use options::DiskOptions;
pub use storage::Disk;
