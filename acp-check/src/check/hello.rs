use std::time::{Duration, Instant};

use acp_harness::{
    Conversation, Ended, Implementation, Patience, Progress, Record, Side, StartError, Step,
};
use acp_model::border::{self, Initialized, Kind, answer_to, batch_line};
use acp_model::judge::{Finding, Seen};
use acp_model::profile::{BatchKind, Probe, Profile};
use acp_model::spec::{Capability, Revision, Version};

/// How long an agent gets to end that has not ended by itself before.
const KNOWN_STUBBORN: Duration = Duration::from_millis(50);

/// While an agent is greeted, a reply that takes longer makes us try another way first.
const IMPATIENT: Duration = Duration::from_millis(1500);

/// What the first conversation in one version showed.
#[derive(Debug)]
pub(crate) struct Greeting {
    pub(crate) version: Version,
    /// The result of initialize, where there was one.
    pub(crate) initialized: Option<Initialized>,
    /// What kind of answer initialize got, where there was one.
    pub(crate) answer: Option<Kind>,
    /// How the agent took the last step.
    pub(crate) progress: Progress,
    pub(crate) probe: Probe,
    pub(crate) unknown_method: Option<Kind>,
    pub(crate) batch: Option<BatchKind>,
    /// Whether it answers a request before initialize.
    pub(crate) answers_early: bool,
    /// How long it took until initialize was answered, the start of the process included.
    pub(crate) startup: Duration,
    /// The longest time that an answer took, initialize excepted.
    pub(crate) slowest: Duration,
    pub(crate) record: Record,
}

impl Greeting {
    /// Whether the agent negotiates the version that it was asked for. A result without a
    /// version, or with one that nobody knows, is for the judge to complain about.
    pub(crate) fn speaks(&self) -> bool {
        let told = self.initialized.as_ref();
        told.is_some_and(|told| match (told.version, told.version.and_then(Version::from_number)) {
            (_, Some(version)) => version == self.version,
            (Some(_), None) => true,
            (None, None) => told.shape == self.version,
        })
    }

    /// The profile for judging this version.
    pub(crate) fn profile(&self, speaks: Vec<Version>) -> Profile {
        let capabilities = self.initialized.as_ref().map(|told| told.capabilities);
        Profile {
            version: self.version,
            speaks,
            capabilities: capabilities.unwrap_or_default(),
            batch: self.batch,
            unknown_method: self.unknown_method,
            probe: self.probe,
            answers_early: self.answers_early,
        }
    }

    /// How to wait for this agent from now on: its start is known, and what did not end by
    /// itself once is not waited for again each time.
    pub(crate) fn patience(&self, patience: Patience) -> Patience {
        let startup = (self.startup * 10).max(patience.reply);
        let ending = match self.record.ended {
            Ended::Stopped { .. } => KNOWN_STUBBORN,
            _ => patience.ending,
        };
        Patience {
            startup: patience.startup.min(startup),
            ending: patience.ending.min(ending),
            ..patience
        }
    }

    /// Lines on stdout that were no message.
    pub(crate) fn garbage(&self) -> impl Iterator<Item = &Finding> {
        self.record.findings.iter().filter(|f| matches!(f.seen, Seen::Garbage(_)))
    }
}

/// Starts the agent and learns how it takes `version`: negotiation, which request shows that it
/// serves, batches.
pub(crate) fn greet(
    agent: &dyn Implementation,
    version: Version,
    revision: Revision,
    patience: Patience,
) -> Result<Greeting, StartError> {
    let quick = Patience { reply: patience.reply.min(IMPATIENT), ..patience };
    let mut greeting = attempt(agent, version, Probe::UnknownMethod, revision, quick)?;
    let capabilities = greeting.initialized.as_ref().map(|told| told.capabilities);
    for probe in [Probe::List, Probe::Initialize] {
        let served = greeting.progress == Progress::Served;
        let listed = capabilities.is_some_and(|c| c.has(Capability::List));
        if served || greeting.answer != Some(Kind::Result) || probe == Probe::List && !listed {
            continue;
        }
        // It does not answer unknown methods: another request must show that it serves.
        let other = attempt(agent, version, probe, revision, quick)?;
        if other.progress == Progress::Served {
            greeting = other;
        }
    }
    if greeting.answer == Some(Kind::Result) && greeting.progress == Progress::Hangs {
        // Or it is slow: it gets all the time that the user gives it.
        greeting = attempt(agent, version, Probe::UnknownMethod, revision, patience)?;
    }
    if greeting.answer == Some(Kind::Result) {
        // A short look will do: what it misses is only that a line is blamed more carefully.
        let profile = Profile::of(version);
        let startup = (greeting.startup * 10).max(IMPATIENT).min(patience.startup);
        let quick = Patience { startup, ..quick };
        let mut talk = Conversation::start(agent, &profile, revision, quick)?;
        talk.step(&Step::Probe);
        greeting.answers_early = talk.observer().judge().has_answered();
        talk.finish();
    }
    Ok(greeting)
}

fn attempt(
    agent: &dyn Implementation,
    version: Version,
    probe: Probe,
    revision: Revision,
    patience: Patience,
) -> Result<Greeting, StartError> {
    let profile = Profile { probe, ..Profile::of(version) };
    let started = Instant::now();
    let mut talk = Conversation::start(agent, &profile, revision, patience)?;
    let mut progress = talk.step(&Step::Initialize);
    let startup = started.elapsed();
    let answer = find_answer(&talk, 0);
    let initialized = agent_lines(&talk)
        .iter()
        .find(|line| answer_to(line, &Step::id(0)).is_some())
        .and_then(|line| border::learn(line));
    let (mut unknown_method, mut batch, mut slowest) = (None, None, Duration::ZERO);
    if answer == Some(Kind::Result) && progress == Progress::Served {
        let asked = Instant::now();
        progress = talk.step(&Step::Probe);
        slowest = asked.elapsed();
        unknown_method = find_answer(&talk, 1).filter(|_| probe == Probe::UnknownMethod);
        if progress == Progress::Served {
            let before = talk.trace().entries().len();
            let taken = talk.step(&Step::Send(batch_line("acp-check-batch")));
            if taken == Progress::Served {
                talk.step(&Step::Probe);
            }
            batch = batch_kind(&talk, before);
        }
    }
    Ok(Greeting {
        version,
        initialized,
        answer,
        progress,
        probe,
        unknown_method,
        batch,
        answers_early: true,
        startup,
        slowest,
        record: talk.finish(),
    })
}

/// The agent's lines; and each two put together again, should a raw newline have cut them.
fn agent_lines(talk: &Conversation) -> Vec<Vec<u8>> {
    let lines = talk.trace().lines().filter(|line| line.from == Side::Agent);
    let lines: Vec<Vec<u8>> = lines.map(|line| line.bytes.clone()).collect();
    let joined = lines.windows(2).map(|two| two.join(&br"\n"[..])).collect::<Vec<_>>();
    [lines, joined].concat()
}

fn find_answer(talk: &Conversation, step: usize) -> Option<Kind> {
    let id = Step::id(step);
    agent_lines(talk).iter().find_map(|line| answer_to(line, &id))
}

fn batch_kind(talk: &Conversation, before: usize) -> Option<BatchKind> {
    let skipped = talk.trace().lines().count().min(before);
    let lines = talk.trace().lines().skip(skipped).filter(|line| line.from == Side::Agent);
    lines.filter_map(|line| border::batch_kind(&line.bytes)).next()
}

/// What no rule is about, but who wrote the agent wants to know.
pub(crate) fn notes(greetings: &[Greeting], patience: Patience) -> Vec<String> {
    let any = |is: fn(&Greeting) -> bool| greetings.iter().any(is);
    let mut notes = Vec::new();
    if any(|g| g.garbage().next().is_some()) {
        notes.push(
            "It prints lines on stdout that are no messages, and an editor may stop at the first \
             of them: send logs to stderr."
                .to_owned(),
        );
    }
    let ending = patience.ending;
    if any(|g| g.record.ended == Ended::Stopped { forced: true }) {
        notes.push(format!(
            "It does not end within {ending:?} once its input is closed, nor when asked to \
             (TERM): it had to be killed. Editors close the input when they quit: end there."
        ));
    } else if any(|g| g.record.ended == Ended::Stopped { forced: false }) {
        notes.push(format!(
            "It does not end within {ending:?} once its input is closed: it had to be asked to \
             (TERM). Editors close the input when they quit: end there."
        ));
    }
    if any(|g| g.record.left_output_open) {
        notes.push(
            "When it ends, something that it started goes on and holds its output open; it was \
             killed. Editors may wait for the end of output: end what the agent started with it."
                .to_owned(),
        );
    }
    notes
}

/// Lines of the agent's standard error that are shown, and how much of each.
const STDERR_LINES: usize = 3;
const STDERR_LINE_CHARS: usize = 200;

/// Why the agent cannot be judged, and what to try: a sentence or two.
pub(crate) fn explain(shown: &str, greeting: &Greeting, patience: Patience) -> String {
    let record = &greeting.record;
    let startup = patience.startup;
    let by_hand = "Run it by hand to see why; if it needs files of your HOME, try --keep-home.";
    let mut text = match greeting.progress {
        Progress::Ended(Ended::Stopped { .. }) => {
            format!("the check was stopped before `{shown}` answered initialize.")
        }
        Progress::Echoes => format!(
            "`{shown}` sends back the very line it was sent: it is no agent. Check the command; \
             many agents need an argument such as `--acp`."
        ),
        Progress::Floods if greeting.garbage().next().is_some() => format!(
            "`{shown}` prints without end, so nothing else could be tested. Only messages may go \
             to stdout; send logs to stderr."
        ),
        Progress::Floods => format!(
            "`{shown}` sends messages without end and does not answer, so nothing could be \
             tested. Check what it does before initialize."
        ),
        Progress::Ended(Ended::OutputClosed) => format!(
            "`{shown}` closed its output before it answered initialize, and lives on. Answers go \
             to stdout: check that nothing redirects it, or moves the agent to the background."
        ),
        Progress::Ended(ended) => {
            format!("`{shown}` {} before it answered initialize. {by_hand}", ended_words(ended))
        }
        Progress::Hangs if record.unsent_bytes + record.unread_bytes > 0 => format!(
            "`{shown}` runs, but within {startup:?} it did not even read what it was sent. Check \
             that the command speaks ACP over stdio; if it only starts slowly, try a longer \
             --startup-timeout."
        ),
        Progress::Hangs | Progress::Served if greeting.answer.is_none() => format!(
            "`{shown}` runs, but did not answer initialize within {startup:?}. Check that the \
             command speaks ACP over stdio; if it only starts slowly, try a longer \
             --startup-timeout, and if it needs files of your HOME, --keep-home."
        ),
        Progress::Hangs | Progress::Served => {
            format!("`{shown}` answers initialize, but refuses every version that was asked for.")
        }
    };
    let stderr = record.stderr.trim_end();
    if !stderr.is_empty() {
        let tail: Vec<&str> = stderr.lines().rev().take(STDERR_LINES).collect();
        text.push_str(" Its stderr ends with:");
        for line in tail.iter().rev() {
            text.push_str("\n    ");
            text.extend(printable(line));
        }
    }
    text
}

/// The beginning of a line, without what would colour or move things on a terminal.
fn printable(line: &str) -> Vec<char> {
    let plain = anstream::adapter::strip_str(line).to_string();
    plain.chars().filter(|c| !c.is_control()).take(STDERR_LINE_CHARS).collect()
}

fn ended_words(ended: Ended) -> String {
    match ended {
        Ended::Exit(code) => format!("exited with code {code}"),
        Ended::Signal(signal) => format!("was ended by signal {signal}"),
        Ended::OutputClosed => "closed its output".to_owned(),
        Ended::Stopped { .. } => "had to be stopped".to_owned(),
    }
}
