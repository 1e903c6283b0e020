//! Programs of the classic Berkeley packet filter over `struct seccomp_data`, with structured jumps.

use libc::{c_long, sock_filter};

/// Where `struct seccomp_data` holds the system call's number and the processor's, in bytes.
const NUMBER: u32 = 0;
const PROCESSOR: u32 = 4;
/// Where its arguments begin, of 64 bits each.
const ARGUMENTS: u32 = 16;

/// A program, written forwards. A body that ends without an answer goes on behind itself with whatever it has loaded.
#[derive(Default)]
pub(super) struct Program {
    instructions: Vec<sock_filter>,
    /// A body was longer than a jump can be.
    broken: bool,
}

impl Program {
    /// The instructions; `None` when a body was too long to jump over.
    pub(super) fn finish(self) -> Option<Vec<sock_filter>> {
        (!self.broken).then_some(self.instructions)
    }

    pub(super) fn load_number(&mut self) {
        self.load_from(NUMBER);
    }

    pub(super) fn load_processor(&mut self) {
        self.load_from(PROCESSOR);
    }

    /// Loads the low half of an argument: all of a C `int`.
    pub(super) fn load(&mut self, argument: u32) {
        self.load_from(ARGUMENTS + 8 * argument);
    }

    /// Loads the high half of an argument.
    pub(super) fn load_high(&mut self, argument: u32) {
        self.load_from(ARGUMENTS + 8 * argument + 4);
    }

    pub(super) fn mask(&mut self, bits: u32) {
        self.push(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, bits);
    }

    /// Ends with an answer.
    pub(super) fn give(&mut self, answer: u32) {
        self.push(libc::BPF_RET | libc::BPF_K, answer);
    }

    /// Ends with the call failing.
    pub(super) fn refuse(&mut self, errno: i32) {
        self.give(libc::SECCOMP_RET_ERRNO | errno.cast_unsigned());
    }

    /// A body for one system call, whose number must be loaded. What the body loads would mislead the tests behind it,
    /// so it must end with an answer.
    #[expect(clippy::cast_possible_truncation, reason = "numbers of system calls are small")]
    #[expect(clippy::cast_sign_loss, reason = "and not negative")]
    pub(super) fn on(&mut self, call: c_long, body: impl FnOnce(&mut Self)) {
        self.when_equal(call as u32, body);
    }

    pub(super) fn when_equal(&mut self, value: u32, body: impl FnOnce(&mut Self)) {
        self.jump(libc::BPF_JEQ, value, true, body);
    }

    pub(super) fn unless_equal(&mut self, value: u32, body: impl FnOnce(&mut Self)) {
        self.jump(libc::BPF_JEQ, value, false, body);
    }

    pub(super) fn when_any_bit(&mut self, bits: u32, body: impl FnOnce(&mut Self)) {
        self.jump(libc::BPF_JSET, bits, true, body);
    }

    /// Runs `body` if the test comes out as `wanted`, and jumps over it otherwise.
    fn jump(&mut self, test: u32, k: u32, wanted: bool, body: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        body(&mut inner);
        // A jump that is cut short would land inside the body, on a wrong answer.
        let over = u8::try_from(inner.instructions.len()).ok();
        self.broken |= inner.broken || over.is_none();
        self.push(libc::BPF_JMP | test | libc::BPF_K, k);
        if let (Some(jump), Some(over)) = (self.instructions.last_mut(), over) {
            if wanted {
                jump.jf = over;
            } else {
                jump.jt = over;
            }
        }
        self.instructions.append(&mut inner.instructions);
    }

    fn load_from(&mut self, offset: u32) {
        self.push(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset);
    }

    #[expect(clippy::cast_possible_truncation, reason = "codes of this machine are 16 bits wide")]
    fn push(&mut self, code: u32, k: u32) {
        self.instructions.push(sock_filter { code: code as u16, jt: 0, jf: 0, k });
    }
}
