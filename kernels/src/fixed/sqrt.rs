//! Integer square root, digit by digit.

macro_rules! square_root {
    ($name:ident, $w:ty) => {
        /// `(floor(sqrt(n * 4^(digits - 16))), whether that is inexact)`, for `digits >= 16` that
        /// leave two of the result's bits free.
        ///
        /// The schoolbook recurrence: two digits of the radicand come down for one of the root,
        /// and the rest never exceeds twice the root.
        #[inline]
        pub(crate) const fn $name(n: u32, digits: u32) -> ($w, bool) {
            let (mut radicand, mut rest, mut root): (u32, $w, $w) = (n, 0, 0);
            let mut digit = 0;
            while digit < digits {
                rest = (rest << 2) | (radicand >> 30) as $w;
                radicand <<= 2;
                let trial = (root << 2) | 1;
                root <<= 1;
                if rest >= trial {
                    rest -= trial;
                    root |= 1;
                }
                digit += 1;
            }
            (root, rest != 0)
        }
    };
}

square_root!(square_root_short, u32);
square_root!(square_root_long, u64);
