//! What a notification and the tray say. Never what the action would do: others may see the screen.

use crate::settings::{NotifyFrom, Settings};

/// A ticket that just arrived, as far as a notice speaks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Its id.
    pub id: String,
    /// Who asks, `agent:NAME`.
    pub from: String,
    /// What kind of thing it is, as a token.
    pub kind: String,
    /// critical, high, normal or low.
    pub priority: String,
    /// routine, notable or critical.
    pub tier: String,
}

/// How urgently the desktop shows a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Silent where the desktop knows such notices.
    Low,
    /// As any other.
    Normal,
    /// It stays until somebody looks.
    Critical,
}

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Who asks, or how many.
    pub title: String,
    /// What it is.
    pub body: String,
    /// How urgently.
    pub severity: Severity,
    /// The ticket that a click opens; None for several.
    pub ticket: Option<String>,
}

/// The notice for what arrived, or None: nothing is worth one, notices are paused, or the person is looking.
pub fn notice_for(arrivals: &[Arrival], settings: &Settings, looking: bool) -> Option<Notice> {
    if settings.paused || looking {
        return None;
    }
    let least = rank_of_level(settings.notify_from);
    let mut wanted: Vec<&Arrival> = arrivals.iter().filter(|arrival| rank(&arrival.priority) <= least).collect();
    wanted.sort_by_key(|arrival| rank(&arrival.priority));
    let first = wanted.first()?;
    let severity = wanted.iter().map(|arrival| severity(arrival)).max().unwrap_or(Severity::Normal);
    if wanted.len() > 1 {
        let body = format!("{} priority: {}", capital(&first.priority), about(first));
        return Some(Notice { title: format!("{} new tickets", wanted.len()), body, severity, ticket: None });
    }
    let title = format!("{} asks", name(&first.from));
    let body = format!("{} ({} priority)", capital(&about(first)), first.priority);
    Some(Notice { title, body, severity, ticket: Some(first.id.clone()) })
}

/// What the tray says of so many waiting tickets.
pub fn tray_words(count: usize) -> String {
    match count {
        0 => "HAP: nothing waits".to_owned(),
        1 => "HAP: 1 ticket waits".to_owned(),
        _ => format!("HAP: {count} tickets wait"),
    }
}

fn about(arrival: &Arrival) -> String {
    let tier = if arrival.tier == "critical" { ", critical" } else { "" };
    format!("{}{tier}", arrival.kind.replace('_', " "))
}

fn severity(arrival: &Arrival) -> Severity {
    match (arrival.priority.as_str(), arrival.tier.as_str()) {
        ("critical", _) | (_, "critical") => Severity::Critical,
        ("low", _) => Severity::Low,
        _ => Severity::Normal,
    }
}

/// 0 for critical, as the store ranks them. An unknown word is taken for the most urgent.
fn rank(priority: &str) -> u8 {
    match priority {
        "high" => 1,
        "normal" => 2,
        "low" => 3,
        _ => 0,
    }
}

fn rank_of_level(level: NotifyFrom) -> u8 {
    match level {
        NotifyFrom::Critical => 0,
        NotifyFrom::High => 1,
        NotifyFrom::Normal => 2,
        NotifyFrom::Low => 3,
    }
}

/// A name without its prefix.
fn name(id: &str) -> &str {
    id.split_once(':').map_or(id, |(_, name)| name)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(priority: &str) -> Arrival {
        Arrival {
            id: "tk_abc".to_owned(),
            from: "agent:code_assist".to_owned(),
            kind: "run_command".to_owned(),
            priority: priority.to_owned(),
            tier: "notable".to_owned(),
        }
    }

    #[test]
    fn a_ticket_of_high_priority_says_who_asks_and_what_it_is() {
        let notice = notice_for(&[arrival("high")], &Settings::default(), false);
        assert_eq!(
            notice,
            Some(Notice {
                title: "code_assist asks".to_owned(),
                body: "Run command (high priority)".to_owned(),
                severity: Severity::Normal,
                ticket: Some("tk_abc".to_owned()),
            })
        );
    }

    #[test]
    fn nothing_below_the_chosen_level_while_paused_or_in_view() {
        let settings = Settings::default();
        assert_eq!(notice_for(&[arrival("normal"), arrival("low")], &settings, false), None);
        assert_eq!(notice_for(&[arrival("critical")], &settings, true), None);
        assert_eq!(notice_for(&[arrival("critical")], &Settings { paused: true, ..settings.clone() }, false), None);
        assert_eq!(notice_for(&[], &settings, false), None);
        let all = Settings { notify_from: NotifyFrom::Low, ..settings };
        assert!(notice_for(&[arrival("low")], &all, false).is_some());
    }

    #[test]
    fn several_become_one_notice_that_names_the_most_urgent() {
        let notice = notice_for(&[arrival("high"), arrival("critical")], &Settings::default(), false);
        assert_eq!(
            notice,
            Some(Notice {
                title: "2 new tickets".to_owned(),
                body: "Critical priority: run command".to_owned(),
                severity: Severity::Critical,
                ticket: None,
            })
        );
    }

    #[test]
    fn the_tray_counts() {
        assert_eq!([0, 1, 2].map(tray_words), ["HAP: nothing waits", "HAP: 1 ticket waits", "HAP: 2 tickets wait"]);
    }
}
