//! A text with everything folded that two texts can differ in while they look alike: kinds of blanks, quotes and
//! dashes, invisible characters, letter case, composed and decomposed letters, indentation, line ends.

use unicode_normalization::char::decompose_canonical;

/// Hands out the folded characters of `text`, each with the offset in `text` behind what it was folded from. What
/// folds to nothing belongs to the character that follows. `emit` answers whether to go on.
pub(super) fn fold(text: &str, mut emit: impl FnMut(char, usize) -> bool) {
    // Blanks count only between two words of a line, so they wait until a word follows.
    let mut blank = false;
    let mut line_start = true;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let mut go_on = true;
        match character {
            '\n' => {
                (blank, line_start) = (false, true);
                go_on = emit('\n', end);
            }
            // A line end of its own where no line feed follows, as old Macs wrote it.
            '\r' if text.as_bytes().get(end).is_some_and(|&next| next != b'\n') => {
                (blank, line_start) = (false, true);
                go_on = emit('\n', end);
            }
            _ if !character.is_ascii() && is_invisible(character) => {}
            _ if character.is_whitespace() => blank = true,
            _ => {
                if blank && !line_start {
                    go_on = emit(' ', at);
                }
                (blank, line_start) = (false, false);
                if character.is_ascii() {
                    go_on = go_on && emit(character.to_ascii_lowercase(), end);
                } else {
                    look_alike(character, &mut |folded| go_on = go_on && emit(folded, end));
                }
            }
        }
        if !go_on {
            return;
        }
    }
}

/// The folded text as a whole.
pub(super) fn folded(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    fold(text, |character, _| {
        all.push(character);
        true
    });
    all
}

fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}'
    )
}

fn look_alike(character: char, push: &mut dyn FnMut(char)) {
    match character {
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2bc}' | '\u{b4}' => push('\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => push('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => push('-'),
        '\u{2026}' => (0..3).for_each(|_| push('.')),
        // Full-width forms stand at a fixed distance from ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character);
            push(ascii.to_ascii_lowercase());
        }
        _ => decompose_canonical(character, |part| part.to_lowercase().for_each(&mut *push)),
    }
}
