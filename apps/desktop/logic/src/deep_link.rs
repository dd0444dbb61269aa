//! Links from outside: `hap://ticket/ID` names a ticket and nothing else. Whatever else a link says is refused.

/// The ticket that a link names, or None.
pub fn ticket_in_link(link: &str) -> Option<&str> {
    let rest = link.strip_prefix("hap://ticket/").or_else(|| link.strip_prefix("hap:ticket/"))?;
    let id = rest.strip_suffix('/').unwrap_or(rest);
    is_ticket_id(id).then_some(id)
}

/// The page's address of a ticket.
pub fn page_path(ticket_id: &str) -> String {
    format!("/tickets/{ticket_id}")
}

/// The shape of a ticket's id: `tk_` and 3 to 64 lower-case letters or digits.
fn is_ticket_id(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("tk_") else { return false };
    (3..=64).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_link_names_its_ticket() {
        assert_eq!(ticket_in_link("hap://ticket/tk_0g2081040g2081040g2081040g"), Some("tk_0g2081040g2081040g2081040g"));
        assert_eq!(ticket_in_link("hap://ticket/tk_abc/"), Some("tk_abc"));
    }

    #[test]
    fn anything_else_is_refused() {
        for link in [
            "",
            "hap://",
            "hap://ticket/",
            "hap://ticket/tk_",
            "hap://ticket/tk_ab",
            "hap://ticket/TK_ABC",
            "hap://ticket/tk_abc?x=1",
            "hap://ticket/tk_abc/approve",
            "hap://ticket/../../etc/passwd",
            "hap://ticket/tk_abc#x",
            "hap://ticket/tk_abc\n",
            "hap://settings",
            "https://ticket/tk_abc",
            "javascript:alert(1)",
            &format!("hap://ticket/tk_{}", "a".repeat(65)),
        ] {
            assert_eq!(ticket_in_link(link), None, "{link}");
        }
    }
}
