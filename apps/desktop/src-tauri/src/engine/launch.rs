//! Starting the engine: a private folder for its socket, a fresh secret on its standard input, and its first words.

use super::Line;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

/// What is kept of the words that an engine left on standard error.
const LAST_WORDS: usize = 4_000;

/// Where the program lies: Node, and the bundled command beside it.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) node: PathBuf,
    pub(crate) command: PathBuf,
}

impl Program {
    /// Beside the app's program when it runs from a checkout, else among the resources of its package.
    pub(crate) fn find(resources: &Path) -> Self {
        let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join("engine")));
        Self::in_folder(&beside.filter(|folder| folder.is_dir()).unwrap_or_else(|| resources.join("engine")))
    }

    fn in_folder(folder: &Path) -> Self {
        let node = if cfg!(windows) { "node.exe" } else { "node" };
        Self { node: folder.join(node), command: folder.join("hap").join("main.cjs") }
    }
}

/// An engine that runs. It ends when this is dropped: its standard input closes, and the process is killed.
pub(crate) struct Running {
    pub(crate) line: Line,
    pub(crate) child: Child,
    pub(crate) said: Words,
    _input: ChildStdin,
    _folder: Folder,
}

/// The last words of a process.
#[derive(Clone, Default)]
pub(crate) struct Words(Arc<Mutex<String>>);

impl Words {
    fn add(&self, line: &str) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(line);
        text.push('\n');
        let surplus = text.len().saturating_sub(LAST_WORDS);
        if let Some(cut) = (surplus..text.len()).find(|at| surplus > 0 && text.is_char_boundary(*at)) {
            text.drain(..cut);
        }
    }

    /// Why it ended: the error that it told of, else its last line.
    pub(crate) fn reason(&self) -> Option<Reason> {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let told = text.lines().rev().find_map(|line| serde_json::from_str::<Told>(line).ok());
        let last = || text.lines().rev().find(|line| !line.trim().is_empty());
        told.map(|told| told.error)
            .or_else(|| last().map(|line| Reason { code: "server_unreachable".to_owned(), message: line.to_owned() }))
    }
}

#[derive(Deserialize)]
struct Told {
    error: Reason,
}

/// An error as the command line tells it with `--json`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Reason {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// Start an engine and wait until it answers.
pub(crate) async fn launch(program: &Program, store: &Path, person: &str) -> Result<Running, Reason> {
    let failed = |what: &str, error: &dyn std::fmt::Display| Reason {
        code: "server_unreachable".to_owned(),
        message: format!("The engine does not start: {what} ({error})."),
    };
    let folder = Folder::make().map_err(|error| failed("no private folder can be made", &error))?;
    let secret = random_hex().map_err(|error| failed("no random numbers", &error))?;
    let line = Line { socket: folder.socket(), secret };
    let mut child = Command::new(&program.node)
        .arg(&program.command)
        .args(["serve", "--json", "--log-level", "warn", "--app-socket"])
        .arg(&line.socket)
        .env("HAP_DB_PATH", store)
        .env("HAP_HUMAN_ID", person)
        // What would change the program that decides is not taken from whoever started the app.
        .env_remove("NODE_OPTIONS")
        .env_remove("NODE_PATH")
        .env_remove("HAP_PAGE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| failed(&program.node.display().to_string(), &error))?;
    let (Some(mut input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
        return Err(failed("it has no pipes", &"unexpected"));
    };
    let said = Words::default();
    let listener = said.clone();
    tokio::spawn(async move {
        let mut lines = BufReader::new(errors).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            eprintln!("engine: {line}");
            listener.add(&line);
        }
    });
    let greeting = format!("{}\n", line.secret);
    if input.write_all(greeting.as_bytes()).await.is_ok() && input.flush().await.is_ok() {
        let mut lines = BufReader::new(output).lines();
        if let Ok(Some(first)) = lines.next_line().await
            && serde_json::from_str::<serde_json::Value>(&first).is_ok_and(|words| words["ready"] == true)
        {
            // Whatever it says later is read, so that the pipe never fills.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(Running { line, child, said, _input: input, _folder: folder });
        }
    }
    let status = child.wait().await.map_or_else(|error| error.to_string(), |status| status.to_string());
    // Its last words arrive with its end or just after it.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    Err(said.reason().unwrap_or_else(|| failed("it ended at once", &status)))
}

fn random_hex() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A folder that only this user enters; it goes with the engine. Windows has pipes with names instead.
struct Folder(PathBuf);

impl Folder {
    #[cfg(unix)]
    fn make() -> std::io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt;
        let around = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_dir());
        let name = random_hex().map_err(std::io::Error::other)?;
        let path = around.unwrap_or_else(std::env::temp_dir).join(format!("hap-{}", &name[..12]));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    #[cfg(windows)]
    fn make() -> std::io::Result<Self> {
        let name = random_hex().map_err(std::io::Error::other)?;
        Ok(Self(PathBuf::from(format!(r"\\.\pipe\hap-{name}"))))
    }

    fn socket(&self) -> PathBuf {
        if cfg!(windows) { self.0.clone() } else { self.0.join("engine.sock") }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if cfg!(unix) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}
