//! Which arrays and objects are open, one bit a level.

/// What a value stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Array,
    Object,
}

/// A stack of open arrays and objects. The innermost 1 to 64 levels are bits of one
/// word; only levels further out are on the heap.
#[derive(Default)]
pub(super) struct Nesting {
    depth: usize,
    /// Bit 0 is the innermost level; 1 is an object.
    word: u64,
    /// Full words of the levels further out.
    outer: Vec<u64>,
}

impl Nesting {
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn innermost(&self) -> Option<Inside> {
        match (self.depth, self.word & 1) {
            (0, _) => None,
            (_, 0) => Some(Inside::Array),
            _ => Some(Inside::Object),
        }
    }

    pub(super) fn open(&mut self, inside: Inside) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.word);
        }
        self.word = self.word << 1 | u64::from(inside == Inside::Object);
        self.depth += 1;
    }

    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.word >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.word = self.outer.pop().expect("a full word was put away at this depth");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Inside, Nesting};

    #[test]
    fn remembers_every_level() {
        let inside = |level: usize| {
            if level.is_multiple_of(3) || level.is_multiple_of(7) {
                Inside::Object
            } else {
                Inside::Array
            }
        };
        let mut nesting = Nesting::default();
        for turn in [10, 64, 65, 128, 129, 1000] {
            for level in 0..turn {
                nesting.open(inside(level));
                assert_eq!(nesting.depth(), level + 1);
            }
            for level in (0..turn).rev() {
                assert_eq!(nesting.innermost(), Some(inside(level)), "level {level} of {turn}");
                nesting.close();
            }
            assert_eq!(nesting.innermost(), None);
        }
    }

    #[test]
    fn sixty_four_levels_stay_off_the_heap() {
        let mut nesting = Nesting::default();
        (0..64).for_each(|_| nesting.open(Inside::Array));
        assert_eq!(nesting.outer.capacity(), 0);
    }
}
