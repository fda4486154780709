use std::{future::poll_fn, task::Poll};

/// Lets every message that has already arrived be handled before the work goes on.
///
/// Without it a turn would end in the call that began it, and no prompt could ever be
/// cancelled or meet a second one.
pub(crate) async fn let_others_go_first() {
    let mut waited = false;
    poll_fn(|context| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
