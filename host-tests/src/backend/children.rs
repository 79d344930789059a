//! Child processes that end when this program is ended by a signal, with all that they started.

use std::io;
use std::process::{Command, Output, Stdio};

#[cfg(unix)]
mod groups {
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};
    use std::sync::{Mutex, Once, PoisonError};

    /// The process groups of the children that run.
    static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());
    static WATCH: Once = Once::new();

    /// Waits for a signal that ends this program, and passes it to the children first.
    fn watch() {
        let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
            return;
        };
        let watch = move || {
            for signal in signals.forever() {
                // Never released: no child is started from here on.
                let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
                for group in groups.iter() {
                    let _ = kill_process_group(*group, Signal::TERM);
                }
                let _ = emulate_default_handler(signal);
            }
        };
        let _ = std::thread::Builder::new().spawn(watch);
    }

    /// Starts a child in a process group of its own.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        WATCH.call_once(watch);
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.process_group(0).spawn()?;
        groups.extend(group(&child));
        Ok(child)
    }

    pub fn group(child: &Child) -> Option<Pid> {
        Pid::from_raw(child.id() as i32)
    }

    pub fn ended(group: Option<Pid>) {
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        groups.retain(|one| Some(*one) != group);
    }
}

/// As [`Command::output`], but standard output goes where the command says.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.stderr(Stdio::piped());
    #[cfg(unix)]
    {
        let child = groups::spawn(command)?;
        let group = groups::group(&child);
        let output = child.wait_with_output();
        groups::ended(group);
        output
    }
    #[cfg(not(unix))]
    command.spawn()?.wait_with_output()
}
