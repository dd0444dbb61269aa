//! Pauses between attempts to start the engine: longer and longer, short again after it has run for a while.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(15);
/// An engine that ran this long was healthy; its end is no reason to wait.
const HEALTHY: Duration = Duration::from_secs(20);

/// How long to wait before the next attempt.
#[derive(Debug, Clone)]
pub struct Backoff {
    next: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl Backoff {
    /// The pause after an engine that ran for so long.
    pub fn pause_after(&mut self, ran: Duration) -> Duration {
        if ran >= HEALTHY {
            self.next = FIRST;
        }
        let pause = self.next;
        self.next = (self.next * 2).min(LONGEST);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_limit() {
        let mut backoff = Backoff::default();
        let pauses: Vec<_> = (0..9).map(|_| backoff.pause_after(Duration::ZERO).as_millis()).collect();
        assert_eq!(pauses, [200, 400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
    }

    #[test]
    fn a_healthy_run_resets_the_pause() {
        let mut backoff = Backoff::default();
        backoff.pause_after(Duration::ZERO);
        backoff.pause_after(Duration::ZERO);
        assert_eq!(backoff.pause_after(HEALTHY).as_millis(), 200);
    }
}
