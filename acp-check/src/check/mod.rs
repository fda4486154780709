//! `acp-check check`: hello, lines and conversations, confirmation.

mod confirm;
mod coverage;
mod hello;
mod lines;
mod run;
mod scripts;
mod suspicion;

pub(crate) use confirm::Confirmed;
pub(crate) use coverage::Coverage;
pub(crate) use run::Selection;
pub(crate) use suspicion::Group;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use acp_harness::{Implementation, Patience, Progress as Step, StartError};
use acp_model::lifecycle::Stage;
use acp_model::spec::Version;

use crate::cli::{CheckArgs, Deny};
use crate::corpus::{self, Script};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::report::{AgentInfo, Report, RunReport};
use crate::target::Target;
use confirm::Confirmer;
use hello::Greeting;
use run::Run;
use suspicion::{Groups, Suspicion};

/// While lines are sent, an answer that takes this long is suspicious enough to look closer.
const SUSPICIOUS: Duration = Duration::from_millis(1500);

/// Confirmation is mostly waiting, so more processes may run than there are jobs.
const CONFIRMING: u16 = 4;

/// While lines are sent, a process that starts is given at least this.
const STARTING: Duration = Duration::from_secs(3);

/// What all runs of one check share.
pub(crate) struct Context<'a> {
    pub(crate) started: Instant,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) progress: &'a Progress,
    pub(crate) selection: &'a Selection,
}

/// Checks an agent in every version asked for.
pub(crate) fn check(
    args: &CheckArgs,
    target: &Target,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<Report, StartError> {
    let selection = Selection { only: args.only.clone(), skip: args.skip.clone() };
    let context = Context { started: Instant::now(), interrupt, progress, selection: &selection };
    let agent = target.at_home()?;
    let patience = target.patience();

    progress.phase("hello", args.protocol.versions().len());
    let greetings = greet_all(agent.as_ref(), args, patience)?;
    let speaks: Vec<Version> = greetings.iter().filter(|g| g.speaks()).map(|g| g.version).collect();
    let info = AgentInfo::learned(target, greetings.iter().filter_map(|g| g.initialized.as_ref()));

    let mut runs = Vec::new();
    for greeting in &greetings {
        // In auto mode a version that the agent does not negotiate is no concern of it.
        if speaks.contains(&greeting.version) && greeting.progress != Step::Floods {
            let run = judge(args, target, agent.as_ref(), greeting, &speaks, &context)?;
            runs.push(run);
        }
    }
    let mut notes = hello::notes(&greetings, patience);
    if runs.is_empty() {
        notes.clear();
        runs.push(unusable(args, target, &greetings, patience, &context)?);
    }
    let mut report = Report {
        agent: info,
        runs,
        notes,
        seed: args.seed,
        elapsed: context.started.elapsed(),
        deny_should: args.deny == Deny::Should,
    };
    report.judge_runs();
    Ok(report)
}

fn greet_all(
    agent: &dyn Implementation,
    args: &CheckArgs,
    patience: Patience,
) -> Result<Vec<Greeting>, StartError> {
    std::thread::scope(|scope| {
        let greet = |version| move || hello::greet(agent, version, args.revision, patience);
        let asked = args.protocol.versions();
        let threads: Vec<_> = asked.iter().map(|v| scope.spawn(greet(*v))).collect();
        threads
            .into_iter()
            .map(|t| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
            .collect()
    })
}

/// One run: every line and conversation in one version, then confirmation.
fn judge(
    args: &CheckArgs,
    target: &Target,
    agent: &dyn Implementation,
    greeting: &Greeting,
    speaks: &[Version],
    context: &Context<'_>,
) -> Result<RunReport, StartError> {
    let patience = greeting.patience(target.patience());
    let profile = greeting.profile(speaks.to_vec());
    let reply = (greeting.slowest * 20).max(SUSPICIOUS).min(patience.reply);
    let grace = (greeting.slowest * 4).clamp(patience.grace, reply);
    let startup = (greeting.startup * 20).max(STARTING).min(patience.startup);
    let quick = Patience { startup, reply, grace, ..patience };
    let run =
        Run::new(agent, profile.clone(), args.revision, quick, patience, greeting.startup, context);

    let selected =
        |rule| context.selection.only.is_empty() || context.selection.only.contains(&rule);
    let lines: Vec<corpus::Line> =
        corpus::lines(args.seed).into_iter().filter(|line| selected(line.rule)).collect();
    let scripts = corpus::conversations(greeting.version);
    context.progress.phase("lines", lines.len() * 2 + scripts.len());

    enum Task<'a> {
        Lines(Stage),
        Script(&'a Script),
    }
    let tasks = [Task::Lines(Stage::Ready), Task::Lines(Stage::Uninitialized)];
    let tasks = tasks.into_iter().chain(scripts.iter().map(Task::Script)).collect();
    in_parallel(args.jobs, tasks, |task| match task {
        _ if run.is_stopped() => Ok(()),
        Task::Lines(stage) => lines::run(&run, &lines, stage),
        Task::Script(script) => scripts::run(&run, script),
    })?;

    let interrupted = run.is_stopped();
    let (groups, hits, coverage) = run.into_found();
    context.progress.phase("confirm", groups.len());
    let confirmer = Confirmer {
        fresh: &|| target.at_home(),
        profile: &profile,
        revision: args.revision,
        quick,
        patient: patience.patient(),
        stopped: &|| context.interrupt.is_set(),
    };
    let confirmed = Mutex::new(Vec::new());
    in_parallel(args.jobs.max(CONFIRMING), groups.into(), |group: Group| {
        let result = confirmer.confirm(&group)?;
        context.progress.step();
        if let (Some(result), Ok(mut list)) = (result, confirmed.lock()) {
            list.push((group, result));
        }
        Ok(())
    })?;
    let mut confirmed = unexplained(confirmed.into_inner().unwrap_or_default());
    confirmed.sort_by(|(a, _), (b, _)| {
        b.level().cmp(&a.level()).then(a.rule.cmp(&b.rule)).then(a.files.cmp(&b.files))
    });
    let mut report = RunReport::new(&profile, args.revision, context.selection);
    report.count(&hits);
    report.cover(&coverage);
    for (group, confirmed) in confirmed {
        report.add(args, target, &profile, group, confirmed);
    }
    report.reason = coverage.short.clone();
    if interrupted || context.interrupt.is_set() {
        report.reason = Some("stopped before all phases were through".to_owned());
    }
    Ok(report)
}

/// One bug is one finding: leaves out what another finding explains.
fn unexplained(mut all: Vec<(Group, Confirmed)>) -> Vec<(Group, Confirmed)> {
    // Threads end in any order.
    all.sort_by_key(|(group, _)| (group.rule, group.seen.to_string()));
    let explains = |group: &Group| {
        all.iter()
            .position(|(other, _)| !std::ptr::eq(other, group) && group.is_explained_by(other))
    };
    let by: Vec<Option<usize>> = all.iter().map(|(group, _)| explains(group)).collect();
    for (index, by) in by.iter().enumerate() {
        if let Some(by) = by {
            let explained = all[index].0.clone();
            all[*by].0.take_over(&explained);
        }
    }
    let mut explained = by.into_iter();
    all.retain(|_| explained.next().flatten().is_none());
    all
}

/// The report on something that cannot be judged, but for what it printed.
fn unusable(
    args: &CheckArgs,
    target: &Target,
    greetings: &[Greeting],
    patience: Patience,
    context: &Context<'_>,
) -> Result<RunReport, StartError> {
    let telling = greetings.iter().max_by_key(|g| (g.garbage().count().min(1), g.answer.is_some()));
    let Some(greeting) = telling else {
        let mut report = RunReport::new(
            &acp_model::profile::Profile::of(Version::V2),
            args.revision,
            context.selection,
        );
        report.reason = Some("no version was asked for".to_owned());
        return Ok(report);
    };
    let profile = greeting.profile(vec![greeting.version]);
    let mut report = RunReport::new(&profile, args.revision, context.selection);
    // Rules hold vacuously where nothing was answered: they are not exercised.
    if greeting.answer.is_some() {
        report.count(&greeting.record.hits);
    }
    report.give_up(hello::explain(&target.shown(), greeting, patience));
    let mut groups = Groups::default();
    for finding in greeting.garbage() {
        if context.selection.shows(finding.rule, &finding.also) {
            let suspicion = Suspicion {
                finding: finding.clone(),
                at: context.started.elapsed(),
                file: "initialize",
                steps: vec![acp_harness::Step::Initialize],
                prefix: Vec::new(),
            };
            groups.add(suspicion, Vec::new);
        }
    }
    for group in groups.into_sorted() {
        let suspicion = &group.kept[0];
        let confirmed = Confirmed {
            finding: suspicion.finding.clone(),
            steps: suspicion.steps.clone(),
            record: Some(greeting.record.clone()),
            stability: confirm::Stability::Deterministic,
        };
        report.add(args, target, &profile, group, confirmed);
    }
    Ok(report)
}

/// Runs the tasks on up to `jobs` threads, in order; the first error is returned at the end.
fn in_parallel<T: Send>(
    jobs: u16,
    tasks: VecDeque<T>,
    work: impl Fn(T) -> Result<(), StartError> + Sync,
) -> Result<(), StartError> {
    let threads = usize::from(jobs).min(tasks.len());
    let tasks = Mutex::new(tasks);
    let next = || tasks.lock().ok().and_then(|mut tasks| tasks.pop_front());
    let worker = || {
        while let Some(task) = next() {
            work(task)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.fold(Ok(()), Result::and)
    })
}
