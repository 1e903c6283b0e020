//! A set of positions in a name, as bits: what keeps matching linear and free of allocation.

/// The longest name that can be matched item by item, in bytes; no path may hold a longer one.
pub(super) const MAX_NAME: usize = crate::path::MAX_NAME_BYTES;

/// Byte positions from 0 to [`MAX_NAME`], both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Positions {
    low: u128,
    high: u128,
}

impl Positions {
    pub(super) const EMPTY: Self = Self { low: 0, high: 0 };

    /// The set that holds `at` alone.
    pub(super) const fn only(at: usize) -> Self {
        match at {
            0..=127 => Self { low: 1 << at, high: 0 },
            128..=255 => Self { low: 0, high: 1 << (at - 128) },
            _ => Self::EMPTY,
        }
    }

    /// Every position from `at` on.
    pub(super) const fn from(at: usize) -> Self {
        match at {
            0..=127 => Self { low: u128::MAX << at, high: u128::MAX },
            128..=255 => Self { low: 0, high: u128::MAX << (at - 128) },
            _ => Self::EMPTY,
        }
    }

    /// Every position up to `at`, itself included.
    pub(super) const fn up_to(at: usize) -> Self {
        Self::from(at + 1).complement()
    }

    const fn complement(self) -> Self {
        Self { low: !self.low, high: !self.high }
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }

    pub(super) const fn without(self, other: Self) -> Self {
        self.and(other.complement())
    }

    pub(super) const fn is_empty(self) -> bool {
        self.low == 0 && self.high == 0
    }

    pub(super) const fn contains(self, at: usize) -> bool {
        !self.and(Self::only(at)).is_empty()
    }

    pub(super) fn insert(&mut self, at: usize) {
        *self = self.or(Self::only(at));
    }

    pub(super) const fn first(self) -> Option<usize> {
        if self.low != 0 {
            Some(self.low.trailing_zeros() as usize)
        } else if self.high != 0 {
            Some(self.high.trailing_zeros() as usize + 128)
        } else {
            None
        }
    }
}

/// The positions in rising order.
impl Iterator for Positions {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.first()?;
        if at < 128 {
            self.low &= self.low - 1;
        } else {
            self.high &= self.high - 1;
        }
        Some(at)
    }
}
