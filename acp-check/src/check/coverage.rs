use acp_model::lifecycle::Stage;

/// Which cells (state and file of the corpus) were visited, and why others were not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coverage {
    /// Cells that were visited.
    pub(crate) hit: usize,
    /// Why so much was left out that the run is no whole one.
    pub(crate) short: Option<String>,
    /// Cells that were left out: state, file and reason.
    pub(crate) missing: Vec<(Stage, &'static str, String)>,
}

impl Coverage {
    pub(crate) fn visit(&mut self) {
        self.hit += 1;
    }

    pub(crate) fn leave_out(&mut self, file: &'static str, stage: Stage, reason: &str) {
        self.missing.push((stage, file, reason.to_owned()));
    }

    /// All cells there are.
    pub(crate) fn cells(&self) -> usize {
        self.hit + self.missing.len()
    }
}
