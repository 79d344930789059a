//! Every function that the link test holds to be free of panics: one macro invocation.

/// `name(argument: Type, ...) -> Type = expression;`: a function of its own, kept in the program with unknown arguments.
macro_rules! entries {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {
        $(
            $(#[$attribute])*
            fn $name($($argument: $type),*) -> $result {
                $body
            }
        )*

        /// Hides from the optimizer what becomes of each function, so that all of them stay, for any argument.
        pub fn keep() {
            $(
                $(#[$attribute])*
                core::hint::black_box($name as fn($($type),*) -> $result);
            )*
        }
    };
}

entries! {
    wrapping_add(a: u32, b: u32) -> u32 = a.wrapping_add(b);

    #[cfg(feature = "canary")]
    canary(table: &[u8; 4], index: usize) -> u8 = table[index];
}
