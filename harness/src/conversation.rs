use std::time::{Duration, Instant};

use acp_model::border::answer_agent;
use acp_model::judge::{End, Finding, Hits, Observer, Owed};
use acp_model::profile::Profile;
use acp_model::spec::Revision;

use crate::connection::{Connection, Ended, Implementation, Received, StartError};
use crate::step::Step;
use crate::trace::Trace;

/// Lines that are no message, past which the agent is taken to flood its output.
const MOST_GARBAGE_LINES: usize = 100;
/// Lines of any kind within one step, past which the agent is taken to flood its output.
const MOST_LINES_IN_A_STEP: usize = 20_000;

/// How long a conversation waits.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the first response of an agent that is just starting.
    pub startup: Duration,
    /// For the response to a request, before the agent is taken to hang.
    pub reply: Duration,
    /// For a response that is due although a later request was answered already.
    pub grace: Duration,
    /// For an agent to end by itself once its input is closed.
    pub ending: Duration,
}

impl Patience {
    /// The same, but silence is given all the time of a reply: what confirms a suspicion.
    pub fn patient(self) -> Patience {
        Patience { grace: self.reply, ..self }
    }
}

/// How an agent took a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It goes on.
    Served,
    /// It does not answer what it must, and lives.
    Hangs,
    /// It ended.
    Ended(Ended),
    /// It prints without end.
    Floods,
    /// It sends back the very line that it was sent.
    Echoes,
}

/// One conversation with an agent, judged as it goes.
pub struct Conversation {
    connection: Box<dyn Connection>,
    observer: Observer,
    patience: Patience,
    steps: usize,
    garbage_lines: usize,
    last_sent: Vec<u8>,
    /// When the last step was sent that may be met with silence.
    last_line: Instant,
    started: bool,
    /// The last step did not go well, so no other answer is waited for.
    broken: bool,
    ended: Option<Ended>,
}

/// What remains of a conversation.
#[derive(Debug, Clone)]
pub struct Record {
    /// Every byte, both ways.
    pub trace: Trace,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Which rules were tested.
    pub hits: Hits,
    /// The last of the agent's standard error.
    pub stderr: String,
    /// How the agent ended.
    pub ended: Ended,
    /// Bytes that the agent never took.
    pub unsent_bytes: usize,
    /// Bytes that nobody had read when the agent's input was closed, as far as can be told.
    pub unread_bytes: usize,
    /// The agent exited, but something that it had started held its output open still.
    pub left_output_open: bool,
}

impl Conversation {
    /// Starts `agent` and judges it by `profile` and `revision`.
    pub fn start(
        agent: &dyn Implementation,
        profile: &Profile,
        revision: Revision,
        patience: Patience,
    ) -> Result<Conversation, StartError> {
        Ok(Conversation {
            connection: agent.start()?,
            observer: Observer::new(profile.clone(), revision),
            patience,
            steps: 0,
            garbage_lines: 0,
            last_sent: Vec::new(),
            last_line: Instant::now(),
            started: false,
            broken: false,
            ended: None,
        })
    }

    /// The observer of this conversation.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// The trace so far.
    pub fn trace(&self) -> &Trace {
        self.connection.trace()
    }

    /// Changes how long silence is given from now on.
    pub fn set_grace(&mut self, grace: Duration) {
        self.patience.grace = grace;
    }

    /// Sends the next step and waits for what it is owed.
    ///
    /// A step whose answer is due is given a short grace only; the probe behind it decides. A
    /// probe, and an initialize, are given the whole time of a reply.
    pub fn step(&mut self, step: &Step) -> Progress {
        let progress = self.take_step(step);
        self.broken = progress != Progress::Served;
        progress
    }

    fn take_step(&mut self, step: &Step) -> Progress {
        if let Some(ended) = self.ended {
            return Progress::Ended(ended);
        }
        let index = self.steps;
        self.steps += 1;
        let bytes = step.bytes(self.observer.judge().profile(), index);
        for line in bytes[..bytes.len() - 1].split(|byte| *byte == b'\n') {
            self.observer.sent(index, line, *step == Step::Probe);
        }
        self.connection.send(&bytes);
        // Nothing may be sent before an initialize is answered (INIT-22).
        let decisive = *step == Step::Probe || self.observer.judge().is_initializing();
        self.last_sent = bytes;
        if !decisive {
            self.last_line = Instant::now();
        }
        let wait = match (decisive, self.started) {
            (true, false) => self.patience.startup,
            (true, true) => self.patience.reply,
            (false, true) => self.patience.grace,
            // An agent that is still starting answers nothing yet: the next step waits for it.
            (false, false) => return Progress::Served,
        };
        let progress = self.wait(Instant::now() + wait, |o| o.owed(index) != Owed::Response);
        if progress != Progress::Served {
            return progress;
        }
        if !decisive {
            return Progress::Served;
        }
        if self.observer.owed(index) == Owed::Response {
            self.observer.quiet();
            return Progress::Hangs;
        }
        if *step == Step::Probe {
            return self.settle();
        }
        Progress::Served
    }

    /// Gives what is still unanswered the rest of its time.
    pub fn settle(&mut self) -> Progress {
        let deadline = match self.started {
            true => self.last_line + self.patience.grace,
            false => Instant::now() + self.patience.startup,
        };
        let progress = self.wait(deadline, |o| o.owed_at_all() != Owed::Response);
        if progress == Progress::Served {
            self.observer.quiet();
        }
        progress
    }

    /// Ends the conversation: input is closed, and what the agent still says is judged.
    pub fn finish(mut self) -> Record {
        // What has answered nothing so far was given its time already.
        let hopeless = self.broken && !self.started;
        if self.ended.is_none() && !hopeless {
            self.settle();
        }
        let ended = self.connection.finish(self.patience.ending);
        let mut late = 0;
        while self.ended.is_none() && late < MOST_LINES_IN_A_STEP {
            late += 1;
            match self.connection.receive(Instant::now()) {
                Received::Line(line) => self.observer.said(&line),
                // Cut off by the end: no message was ever finished.
                Received::Unterminated(_) | Received::Overlong(_) => {}
                Received::Quiet | Received::Ended(_) => break,
            }
        }
        self.record(ended)
    }

    fn record(self, ended: Ended) -> Record {
        Record {
            trace: self.connection.trace().clone(),
            findings: self.observer.findings().to_vec(),
            hits: self.observer.judge().hits().clone(),
            stderr: self.connection.stderr_tail(),
            ended,
            unsent_bytes: self.connection.unsent_bytes(),
            unread_bytes: self.connection.unread_bytes(),
            left_output_open: self.connection.left_output_open(),
        }
    }

    fn wait(&mut self, deadline: Instant, done: impl Fn(&Observer) -> bool) -> Progress {
        for _ in 0..MOST_LINES_IN_A_STEP {
            if done(&self.observer) {
                return Progress::Served;
            }
            match self.connection.receive(deadline) {
                Received::Line(line) if self.last_sent.strip_suffix(b"\n") == Some(&line) => {
                    return Progress::Echoes;
                }
                Received::Line(line) | Received::Unterminated(line) => self.said(&line),
                Received::Overlong(_) => {
                    self.observer.said_too_much();
                    return Progress::Floods;
                }
                Received::Quiet => return Progress::Served,
                Received::Ended(ended) => {
                    self.ended = Some(ended);
                    let end = match ended {
                        Ended::Exit(code) => Some(End::Exit(code)),
                        Ended::Signal(signal) => Some(End::Signal(signal)),
                        Ended::OutputClosed => Some(End::OutputClosed),
                        // We ended it: nothing to hold against the agent.
                        Ended::Stopped { .. } => None,
                    };
                    end.into_iter().for_each(|end| self.observer.ended(end));
                    return Progress::Ended(ended);
                }
            }
            if self.garbage_lines > MOST_GARBAGE_LINES {
                return Progress::Floods;
            }
        }
        Progress::Floods
    }

    fn said(&mut self, line: &[u8]) {
        let before = self.observer.findings().len();
        self.observer.said(line);
        let garbage = |f: &Finding| matches!(f.seen, acp_model::judge::Seen::Garbage(_));
        self.garbage_lines +=
            self.observer.findings()[before..].iter().filter(|f| garbage(f)).count();
        self.started |= self.observer.judge().has_answered();
        if let Some(mut answer) = answer_agent(line) {
            self.observer.sent(self.steps, &answer, false);
            answer.push(b'\n');
            self.connection.send(&answer);
        }
    }
}
