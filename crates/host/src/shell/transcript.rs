//! What a command printed, in bounded memory, and the text it becomes.

/// One of the two streams a command prints to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

/// Bytes kept beyond the cap, so that a character cut at the end of what is kept lies wholly behind the cap.
const SLACK_BYTES: usize = 4;
const STDERR_MARK: &str = "[stderr] ";

/// Collects output up to a cap and drops what lies behind it.
#[derive(Debug)]
pub(super) struct Transcript {
    cap_bytes: usize,
    /// The start of stdout, or its unfinished line when the streams are interleaved.
    out: Vec<u8>,
    /// The same of stderr.
    err: Vec<u8>,
    /// Finished lines of both streams in order; `None` when the streams stay apart.
    lines: Option<Vec<u8>>,
    /// stderr printed something, if only blanks.
    err_seen: bool,
    /// Something other than blanks was dropped from stderr, whose blanks at the end are no loss.
    err_lost: bool,
}

/// The text of a transcript, and whether something is missing from it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) truncated: bool,
    /// Nothing was printed; the text only says so.
    pub(super) empty: bool,
}

impl Transcript {
    pub(super) fn new(cap_bytes: usize, interleave: bool) -> Self {
        Self {
            cap_bytes,
            out: Vec::new(),
            err: Vec::new(),
            lines: interleave.then(Vec::new),
            err_seen: false,
            err_lost: false,
        }
    }

    /// Adds bytes in the order of their arrival.
    pub(super) fn add(&mut self, stream: Stream, bytes: &[u8]) {
        let most = self.cap_bytes.saturating_add(SLACK_BYTES);
        let pending = if stream == Stream::Out { &mut self.out } else { &mut self.err };
        if let Some(lines) = &mut self.lines {
            // Only whole lines join the other stream's, so neither a line nor a character is ever torn apart.
            for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
                keep(pending, piece, most);
                if piece.ends_with(b"\n") {
                    finish_line(pending, stream, lines, most);
                }
            }
            return;
        }
        match stream {
            Stream::Out => _ = keep(pending, bytes, most),
            Stream::Err => {
                self.err_seen |= !bytes.is_empty();
                // Blanks before the first line are trimmed away in the end; they must not use up the cap.
                let bytes = if pending.is_empty() { bytes.trim_ascii_start() } else { bytes };
                let dropped = keep(pending, bytes, most);
                self.err_lost |= !dropped.trim_ascii().is_empty();
            }
        }
    }

    /// The text in the protocol's format, without what depends on how the command ended.
    pub(super) fn finish(self) -> Printed {
        let mut text = Capped { text: String::new(), cap_bytes: self.cap_bytes, truncated: false };
        if self.lines.is_some() {
            self.write_interleaved(&mut text);
        } else {
            self.write_apart(&mut text);
        }
        let Capped { mut text, cap_bytes, truncated } = text;
        let empty = text.is_empty() && !truncated;
        if truncated {
            text.push_str(&format!("\n\n... Output truncated at {cap_bytes} bytes."));
        } else if empty {
            text.push_str("<no output>");
        }
        Printed { text, truncated, empty }
    }

    fn write_apart(self, text: &mut Capped) {
        let stdout = String::from_utf8_lossy(&self.out);
        text.push(&stdout);
        if self.err_seen {
            for (index, line) in
                String::from_utf8_lossy(&self.err).trim_matches(is_blank).split('\n').enumerate()
            {
                if text.truncated {
                    break;
                }
                if index > 0 || !stdout.is_empty() {
                    text.push("\n");
                }
                text.push(STDERR_MARK);
                text.push(line);
            }
        }
        text.truncated |= self.err_lost;
    }

    fn write_interleaved(mut self, text: &mut Capped) {
        let most = self.cap_bytes.saturating_add(SLACK_BYTES);
        let mut lines = self.lines.take().unwrap_or_default();
        for (pending, stream) in [(&mut self.out, Stream::Out), (&mut self.err, Stream::Err)] {
            if !pending.is_empty() {
                if lines.last().is_some_and(|&byte| byte != b'\n') {
                    keep(&mut lines, b"\n", most);
                }
                finish_line(pending, stream, &mut lines, most);
            }
        }
        text.push(&String::from_utf8_lossy(&lines));
    }
}

/// Blank in the sense of JavaScript's `trim`, which the format is defined by.
pub(super) fn is_blank(char: char) -> bool {
    (char.is_whitespace() && char != '\u{85}') || char == '\u{feff}'
}

/// Appends what fits and returns what does not.
fn keep<'a>(kept: &mut Vec<u8>, bytes: &'a [u8], most: usize) -> &'a [u8] {
    let room = most.saturating_sub(kept.len());
    let (fits, dropped) = bytes.split_at(room.min(bytes.len()));
    kept.extend_from_slice(fits);
    dropped
}

/// Moves the pending bytes of one stream behind the finished lines.
fn finish_line(pending: &mut Vec<u8>, stream: Stream, lines: &mut Vec<u8>, most: usize) {
    if stream == Stream::Err {
        keep(lines, STDERR_MARK.as_bytes(), most);
    }
    keep(lines, pending, most);
    pending.clear();
}

/// Text that never grows past its cap and is cut between characters.
struct Capped {
    text: String,
    cap_bytes: usize,
    truncated: bool,
}

impl Capped {
    fn push(&mut self, piece: &str) {
        if self.truncated {
            return;
        }
        let room = self.cap_bytes.saturating_sub(self.text.len());
        if piece.len() <= room {
            self.text.push_str(piece);
        } else {
            let cut = (0..=room).rev().find(|&at| piece.is_char_boundary(at)).unwrap_or(0);
            self.text.push_str(piece.get(..cut).unwrap_or_default());
            self.truncated = true;
        }
    }
}
