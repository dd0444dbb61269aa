//! Where the tickets are, and whose they are: the same rules as the command line (HAP_URL, HAP_DB_PATH, HAP_HUMAN_ID).

use std::path::{Path, PathBuf};

/// What the app opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The local store, worked through an engine of our own.
    Local {
        /// The store's file.
        store: PathBuf,
        /// Whose inbox it is.
        person: String,
    },
    /// A window on a server.
    Server {
        /// Its origin, without a path.
        url: String,
    },
}

/// Read the environment; an error is words for the person.
pub fn find_place(variable: impl Fn(&str) -> Option<String>, home: &Path, folder: &Path, user: &str) -> Result<Place, String> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(url) = given("HAP_URL") {
        return Ok(Place::Server { url: server_origin(&url)? });
    }
    let store = match given("HAP_DB_PATH") {
        None => home.join(".hap").join("hap.db"),
        Some(path) if path == "~" => home.to_owned(),
        Some(path) => match path.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => folder.join(path),
        },
    };
    let person = match given("HAP_HUMAN_ID") {
        None => local_person(user),
        Some(id) => parse_person(&id)?,
    };
    Ok(Place::Local { store, person })
}

/// The origin of a server's address. Plain HTTP is for this machine only.
fn server_origin(url: &str) -> Result<String, String> {
    let wrong = || format!("HAP_URL is {url}; it must be an address such as https://hap.example.org.");
    let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    if host.is_empty() || host.contains('@') || host.contains(char::is_whitespace) || !host.is_ascii() {
        return Err(wrong());
    }
    let name = host.rsplit_once(':').map_or(host, |(name, port)| if port.ends_with(']') { host } else { name });
    let local = matches!(name, "localhost" | "127.0.0.1" | "[::1]" | "hap.localhost");
    match scheme {
        "https" => Ok(format!("https://{}", host.to_ascii_lowercase())),
        "http" if local => Ok(format!("http://{}", host.to_ascii_lowercase())),
        "http" => Err(format!("HAP_URL is {url}: decisions do not travel over plain HTTP. Use https.")),
        _ => Err(wrong()),
    }
}

/// The person of a system user, named as the engine names them.
pub fn local_person(user: &str) -> String {
    let mut name = String::new();
    let mut replaced = false;
    for char in user.to_lowercase().chars() {
        let plain = matches!(char, 'a'..='z' | '0'..='9' | '_' | '-');
        if plain {
            name.push(char);
        } else if !replaced {
            name.push('_');
        }
        replaced = !plain;
    }
    name.truncate(64);
    format!("human:{}", if name.is_empty() { "local" } else { &name })
}

fn parse_person(text: &str) -> Result<String, String> {
    let id = if text.contains(':') { text.to_owned() } else { format!("human:{text}") };
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
    let name = id.strip_prefix("human:").filter(|name| (1..=64).contains(&name.len()) && name.bytes().all(allowed));
    if name.is_some() {
        return Ok(id);
    }
    Err(format!("HAP_HUMAN_ID is {text}; it must be human:NAME, in lower-case letters, digits, _ and -."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(pairs: &[(&str, &str)]) -> Result<Place, String> {
        let variable = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        find_place(variable, Path::new("/home/alex"), Path::new("/work"), "alex")
    }

    fn local(store: &str, person: &str) -> Result<Place, String> {
        Ok(Place::Local { store: store.into(), person: person.to_owned() })
    }

    #[test]
    fn without_settings_it_is_the_store_of_this_user() {
        assert_eq!(place(&[]), local("/home/alex/.hap/hap.db", "human:alex"));
        assert_eq!(place(&[("HAP_DB_PATH", ""), ("HAP_URL", "")]), local("/home/alex/.hap/hap.db", "human:alex"));
    }

    #[test]
    fn the_environment_names_another_store_and_person() {
        assert_eq!(place(&[("HAP_DB_PATH", "~/x.db")]), local("/home/alex/x.db", "human:alex"));
        assert_eq!(place(&[("HAP_DB_PATH", "x.db"), ("HAP_HUMAN_ID", "sam")]), local("/work/x.db", "human:sam"));
        assert!(place(&[("HAP_HUMAN_ID", "agent:sam")]).is_err());
        assert!(place(&[("HAP_HUMAN_ID", "Sam Smith")]).is_err());
    }

    #[test]
    fn a_server_is_an_origin_and_plain_http_only_here() {
        let url = |text: &str| match place(&[("HAP_URL", text)]) {
            Ok(Place::Server { url }) => Some(url),
            _ => None,
        };
        assert_eq!(url("https://HAP.example.org/inbox?x").as_deref(), Some("https://hap.example.org"));
        assert_eq!(url("http://localhost:4747/").as_deref(), Some("http://localhost:4747"));
        assert_eq!(url("http://[::1]:4747").as_deref(), Some("http://[::1]:4747"));
        for wrong in ["http://example.org", "example.org", "file:///etc/passwd", "https://", "https://a@b", "javascript:1"] {
            assert_eq!(url(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_user_without_a_plain_name_is_still_somebody() {
        assert_eq!(local_person("Sam.Smith"), "human:sam_smith");
        assert_eq!(local_person("a_..b"), "human:a__b");
        assert_eq!(local_person(""), "human:local");
    }
}
