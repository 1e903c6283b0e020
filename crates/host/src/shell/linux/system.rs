use std::io;
use std::path::Path;
use std::process::ExitStatus;

use super::attendant::{Attendant, Leftover};
use super::census::Tags;
use super::command::{self, Start};
use super::ending;
use super::process::Process;
use super::walls::Confinement;
use crate::shell::jail::JailRefused;
use crate::shell::options::ShellOptions;

/// What the commands of one shell share on Linux.
#[derive(Debug)]
pub(in crate::shell) struct System {
    tags: Tags,
    attendant: Attendant,
    confinement: Option<Confinement>,
}

impl System {
    /// Prepares to start commands; a jail makes `options.env` fit it.
    ///
    /// # Errors
    /// When a jail is asked for that cannot be had.
    pub(in crate::shell) fn new(options: &mut ShellOptions) -> Result<Self, JailRefused> {
        let confinement = match &options.jail {
            Some(jail) => {
                let confinement = Confinement::new(jail, &options.cwd, &mut options.env)?;
                try_out(&confinement)?;
                Some(confinement)
            }
            None => None,
        };
        Ok(Self { tags: Tags::new(), attendant: Attendant::default(), confinement })
    }

    /// Starts a command.
    ///
    /// # Errors
    /// What kept it from starting.
    pub(in crate::shell) fn start(&self, command: &str, options: &ShellOptions) -> io::Result<Process> {
        let (walls, desk) = self.confinement.as_ref().map(Confinement::walls).transpose()?.unzip();
        let tag = self.tags.next();
        let ShellOptions { cwd, env, interleave: ordered, .. } = options;
        let started = command::start(Start { command, cwd, env, tag, walls, ordered: *ordered })?;
        if let Some(clerk) = desk.and_then(|desk| desk.open().ok()) {
            self.attendant.adopt(clerk);
        }
        Process::new(started, tag, *ordered)
    }

    /// Lets go of a process: gives its status, and sees to what it leaves open.
    pub(in crate::shell) fn finish(&self, process: Process) -> Option<ExitStatus> {
        let (status, pipes) = process.take_apart();
        pipes.for_each(|pipe| self.attendant.adopt(Leftover(pipe)));
        status
    }

    /// Ends everything that was started and still runs.
    pub(in crate::shell) fn close(&self) {
        if let Some(tags) = self.tags.all() {
            ending::end_all(&tags);
        }
        if let Some(confinement) = &self.confinement {
            confinement.clear();
        }
    }
}

/// Runs a command that does nothing, behind walls as every command will have them: a jail is either whole or refused.
fn try_out(confinement: &Confinement) -> Result<(), JailRefused> {
    let trial = || -> io::Result<ExitStatus> {
        let (walls, desk) = confinement.bare_walls()?;
        let start = Start {
            command: ":",
            cwd: Path::new("/"),
            env: &[],
            tag: None,
            walls: Some(walls),
            ordered: false,
        };
        let status = command::start(start)?.shell.wait()?;
        desk.open().map(|_clerk| status)
    };
    match trial() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(JailRefused::because(format_args!("a trial command failed behind its walls ({status})")))
        }
        Err(error) => Err(JailRefused::because(format_args!(
            "this system's kernel does not offer all it needs (Linux 6.12 or newer with Landlock and seccomp): {error}"
        ))),
    }
}
