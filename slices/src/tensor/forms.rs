//! The public functions: on one thread, and on all.

/// For each function of `by`, one without its first argument, and the same in `parallel`.
macro_rules! forms {
    ($($(#[$doc:meta])* fn $name:ident[$($generics:tt)*]($($arg:ident: $ty:ty),* $(,)?) -> $out:ty;)*) => {
        $($(#[$doc])*
        #[inline]
        pub fn $name<$($generics)*>($($arg: $ty),*) -> $out {
            by::$name(How::best(), $($arg),*)
        })*

        #[cfg(feature = "rayon")]
        pub(crate) mod parallel {
            use super::*;
            $(#[doc = concat!("[`", stringify!($name), "`](crate::tensor::", stringify!($name), ") by rayon's threads.")]
            ///
            /// # Errors
            ///
            /// As there.
            #[inline]
            pub fn $name<$($generics)*>($($arg: $ty),*) -> $out {
                by::$name(How::parallel(), $($arg),*)
            })*
        }
    };
}
pub(super) use forms;
