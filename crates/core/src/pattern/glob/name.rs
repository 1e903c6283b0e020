//! Matching one name against the items of a segment.
//!
//! The set of all positions reached so far is carried over the items one after the other, so a name is never tried
//! twice at the same place: `*a*a*a*a*b` costs what `*a` costs, five times.

use super::{
    positions::{MAX_NAME, Positions},
    segment::{Class, Group, Item, Sign},
};

/// Whether `items` match all of `name`.
pub(super) fn matches(items: &[Item], name: &str) -> bool {
    if name.len() > MAX_NAME || !has_ends(items, name) {
        return false;
    }
    let subject = Subject { name, boundaries: boundaries(name) };
    subject.follow(items, Positions::only(0)).contains(name.len())
}

/// Whether the name starts and ends with the fixed text that the items do: what most names fail by.
fn has_ends(items: &[Item], name: &str) -> bool {
    let starts = !matches!(items.first(), Some(Item::Text(text)) if !name.starts_with(text.as_str()));
    starts && !matches!(items.last(), Some(Item::Text(text)) if !name.ends_with(text.as_str()))
}

fn boundaries(name: &str) -> Positions {
    if name.is_ascii() {
        return Positions::up_to(name.len());
    }
    let mut all = Positions::only(name.len());
    for (at, _) in name.char_indices() {
        all.insert(at);
    }
    all
}

struct Subject<'a> {
    name: &'a str,
    /// Where characters start, and the end.
    boundaries: Positions,
}

impl Subject<'_> {
    /// Where the items can end when they start at any of `starts`.
    fn follow(&self, items: &[Item], starts: Positions) -> Positions {
        let mut reached = starts;
        for item in items {
            if reached.is_empty() {
                break;
            }
            reached = match item {
                Item::Text(text) => self.text(text, reached),
                Item::One => self.one(reached, |_| true),
                Item::Many => self.rest(reached),
                Item::Class(class) => {
                    self.one(reached, |character| class.holds(character)).or(self.text(&class.text, reached))
                }
                Item::Group(group) => self.group(group, reached),
            };
        }
        reached
    }

    fn text(&self, text: &str, starts: Positions) -> Positions {
        let bytes = self.name.as_bytes();
        let mut ends = Positions::EMPTY;
        for at in starts {
            if bytes.get(at..).is_some_and(|rest| rest.starts_with(text.as_bytes())) {
                ends.insert(at + text.len());
            }
        }
        ends
    }

    fn one(&self, starts: Positions, accepts: impl Fn(char) -> bool) -> Positions {
        let mut ends = Positions::EMPTY;
        for at in starts {
            if let Some(character) = self.name.get(at..).and_then(|rest| rest.chars().next())
                && accepts(character)
            {
                ends.insert(at + character.len_utf8());
            }
        }
        ends
    }

    /// Everything from the first start on.
    fn rest(&self, starts: Positions) -> Positions {
        starts.first().map_or(Positions::EMPTY, |first| Positions::from(first).and(self.boundaries))
    }

    fn branches(&self, group: &Group, starts: Positions) -> Positions {
        group.branches.iter().fold(Positions::EMPTY, |ends, branch| ends.or(self.follow(branch, starts)))
    }

    fn group(&self, group: &Group, starts: Positions) -> Positions {
        match group.sign {
            Sign::Once => self.branches(group, starts),
            Sign::AtMostOnce => starts.or(self.branches(group, starts)),
            Sign::AtLeastOnce => self.repeat(group, self.branches(group, starts)),
            Sign::AnyTimes => self.repeat(group, starts),
            Sign::Not => {
                // What is excluded depends on where the text starts, so every start is asked by itself.
                starts.fold(Positions::EMPTY, |ends, start| {
                    let start = Positions::only(start);
                    ends.or(self.rest(start).without(self.branches(group, start)))
                })
            }
        }
    }

    /// Everything reached from `starts` in any number of rounds. Only what a round found anew starts the next.
    fn repeat(&self, group: &Group, starts: Positions) -> Positions {
        let (mut all, mut fresh) = (starts, starts);
        while !fresh.is_empty() {
            fresh = self.branches(group, fresh).without(all);
            all = all.or(fresh);
        }
        all
    }
}

impl Class {
    fn holds(&self, character: char) -> bool {
        self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&character)) != self.negated
    }
}
