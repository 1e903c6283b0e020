//! [`Time`]: when something happened, and the text that tells it.

use std::borrow::Cow;

/// The largest time that a JavaScript `Date` can hold, in milliseconds (ECMAScript, "Time Values and Time Range").
const MAX_MILLIS: f64 = 8.64e15;

const DAY_MILLIS: i64 = 86_400_000;

/// When something happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Time {
    /// Milliseconds since 1970, rounded as Node rounds `mtime`.
    Millis(f64),
    /// ISO 8601 text, kept as it was given (records of state and stores).
    Text(String),
    /// Not known, as for a folder that exists only as the prefix of some file.
    Unknown,
}

impl Time {
    /// The time as ISO 8601 text in UTC, as JavaScript's `toISOString` writes it; empty when it is not known, or beyond what
    /// a `Date` can hold.
    ///
    /// ```
    /// use deepfs_core::time::Time;
    /// assert_eq!(Time::Millis(1_700_000_000_123.0).iso(), "2023-11-14T22:13:20.123Z");
    /// assert_eq!(Time::Unknown.iso(), "");
    /// ```
    #[must_use]
    pub fn iso(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Unknown => Cow::Borrowed(""),
            Self::Millis(millis) => {
                let mut text = String::with_capacity(24);
                push_iso(&mut text, *millis);
                Cow::Owned(text)
            }
        }
    }

    /// Appends what [`Time::iso`] tells.
    pub fn push_iso(&self, text: &mut String) {
        match self {
            Self::Text(known) => text.push_str(known),
            Self::Unknown => {}
            Self::Millis(millis) => push_iso(text, *millis),
        }
    }
}

fn push_iso(text: &mut String, millis: f64) {
    if millis.is_nan() || millis.abs() > MAX_MILLIS {
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range is far below 2^63; a `Date` truncates, too"
    )]
    let millis = millis as i64;
    let (year, month, day) = civil(millis.div_euclid(DAY_MILLIS));
    let in_day = millis.rem_euclid(DAY_MILLIS);
    match year {
        0..=9999 => push_digits(text, year, 4),
        _ => {
            text.push(if year < 0 { '-' } else { '+' });
            push_digits(text, year.abs(), 6);
        }
    }
    for (before, value, digits) in [
        ('-', month, 2),
        ('-', day, 2),
        ('T', in_day / 3_600_000, 2),
        (':', in_day / 60_000 % 60, 2),
        (':', in_day / 1000 % 60, 2),
        ('.', in_day % 1000, 3),
    ] {
        text.push(before);
        push_digits(text, value, digits);
    }
    text.push('Z');
}

fn push_digits(text: &mut String, value: i64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = value / 10_i64.pow(place) % 10;
        text.push(char::from(b'0' + u8::try_from(digit).unwrap_or(0)));
    }
}

/// Year, month and day of a day since 1970, in the Gregorian calendar carried on in both directions. Years are counted from
/// March, so that the day that leap years add is the last one.
const fn civil(day: i64) -> (i64, i64, i64) {
    // 400 years have 146,097 days; day 0 is 719,468 days after 1 March of year 0.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Five months from March on have 153 days.
    let month = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month + 2) / 5 + 1;
    let is_next_year = month >= 10;
    let year = year_of_era + era * 400 + is_next_year as i64;
    (year, if is_next_year { month - 9 } else { month + 3 }, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_is_what_javascript_writes() {
        // Each answer is that of `new Date(millis).toISOString()` in Node 20.
        for (millis, text) in [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (-1.0, "1969-12-31T23:59:59.999Z"),
            (951_782_399_999.0, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000.0, "2000-03-01T00:00:00.000Z"),
            (4_107_542_400_000.0, "2100-03-01T00:00:00.000Z"),
            (1_735_689_599_999.0, "2024-12-31T23:59:59.999Z"),
            (253_402_300_799_999.0, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000.0, "+010000-01-01T00:00:00.000Z"),
            (-62_167_219_200_000.0, "0000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001.0, "-000001-12-31T23:59:59.999Z"),
            (8.64e15, "+275760-09-13T00:00:00.000Z"),
            (-8.64e15, "-271821-04-20T00:00:00.000Z"),
            (8.64e15 + 1.0, ""),
            (f64::NAN, ""),
            (f64::INFINITY, ""),
        ] {
            assert_eq!(Time::Millis(millis).iso(), text, "{millis}");
        }
        assert_eq!(Time::Text("yesterday".to_owned()).iso(), "yesterday");
    }

    #[test]
    fn every_day_of_eight_centuries_follows_the_one_before() {
        let mut before = civil(-146_097);
        for day in -146_096..=146_097 {
            let (year, month, date) = civil(day);
            let is_leap = (before.0 % 4 == 0 && before.0 % 100 != 0) || before.0 % 400 == 0;
            let length = match before.1 {
                2 => 28 + i64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            let next = match before {
                (year, month, date) if date < length => (year, month, date + 1),
                (year, 12, _) => (year + 1, 1, 1),
                (year, month, _) => (year, month + 1, 1),
            };
            assert_eq!((year, month, date), next, "day {day}");
            before = next;
        }
    }
}
