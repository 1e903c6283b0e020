//! How the upstream backends differ from each other, as data.

/// What `read` answers when the first asked line lies behind the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PastEnd {
    /// An error that names the line count (disk).
    Error,
    /// Empty content with `totalLines` (state, store).
    Empty,
}

/// The order in which `glob` lists what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobOrder {
    /// By path, in code-point order.
    Path,
    /// Latest modification first, then by path.
    NewestFirst,
}

/// One upstream backend's habits. The presets are the only values in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Whether reading a file of zero bytes answers with the reminder sentence instead of nothing.
    pub empty_reminder: bool,
    /// See [`PastEnd`].
    pub past_end: PastEnd,
    /// See [`GlobOrder`].
    pub glob_order: GlobOrder,
}

impl Dialect {
    /// `FilesystemBackend` and `LocalShellBackend`.
    pub const DISK: Self =
        Self { empty_reminder: true, past_end: PastEnd::Error, glob_order: GlobOrder::Path };
    /// `StateBackend`.
    pub const STATE: Self =
        Self { empty_reminder: false, past_end: PastEnd::Empty, glob_order: GlobOrder::NewestFirst };
    /// `StoreBackend` and `ContextHubBackend`.
    pub const STORE: Self = Self::STATE;

    /// The preset that a binding names.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "disk" => Some(Self::DISK),
            "state" => Some(Self::STATE),
            "store" => Some(Self::STORE),
            _ => None,
        }
    }
}
