//! How C passes the elements.

use kernels::catalog::Element;

#[cfg(not(target_arch = "nvptx64"))]
mod here {
    use kernels::arith::Class;
    use kernels::catalog::{Element, types};

    pub type Here<T> = T;
    pub type HereResults<R> = R;
    pub type HereArguments<A> = A;

    pub trait Passed: Element {
        type C: Copy + Default;
        fn take(passed: Self::C) -> Self;
        fn give(self) -> Self::C;
    }

    /// A format's code: in C a struct of its own for each format, so that one is not passed as
    /// another.
    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    pub struct Code<W> {
        pub bits: W,
    }

    /// The formats or the projection of P3109: in C a struct of its own for each, too.
    pub struct Word;

    impl super::Number for Word {
        type C = Code<u64>;
        #[inline(always)]
        fn bits(passed: Self::C) -> u64 {
            passed.bits
        }
    }

    macro_rules! codes {
        ($($ty:ident)*) => {
            $(impl Passed for types::$ty {
                type C = Code<<Self as Element>::Word>;
                #[inline(always)]
                fn take(passed: Self::C) -> Self {
                    Self::from_word(passed.bits)
                }
                #[inline(always)]
                fn give(self) -> Self::C {
                    Code { bits: self.to_word() }
                }
            })*
        };
    }
    codes!(f16 bf16 E8M0 E5M2 E4M3FN E5M2FNUZ E4M3FNUZ E2M3 E3M2 E2M1 MxInt8);

    macro_rules! numbers {
        ($($ty:ident)*) => {
            $(impl Passed for $ty {
                type C = Self;
                #[inline(always)]
                fn take(passed: Self) -> Self {
                    passed
                }
                #[inline(always)]
                fn give(self) -> Self {
                    self
                }
            })*
        };
    }
    numbers!(f32 f64 bool i8 i16 i32 i64 u8 u16 u32 u64);

    /// An enum of 32 bits.
    impl Passed for Class {
        type C = u32;
        #[inline(always)]
        fn take(passed: u32) -> Self {
            Self::from_word(passed as u8)
        }
        #[inline(always)]
        fn give(self) -> u32 {
            self.to_word().into()
        }
    }
}

/// CUDA C++ passes every element as a word. With Rust's own floats, LLVM would turn a masked sign
/// into a float instruction, which may change a NaN.
#[cfg(target_arch = "nvptx64")]
mod here {
    use kernels::catalog::{Arguments, Element, Results};

    pub type Word = <u64 as Element>::Device;
    pub type Here<T> = <T as Element>::Device;
    pub type HereResults<R> = <R as Results>::Device;
    pub type HereArguments<A> = <A as Arguments>::Device;

    pub trait Passed: Element {
        type C: Copy + Default;
        fn take(passed: Self::C) -> Self;
        fn give(self) -> Self::C;
    }

    impl<T: Element> Passed for T {
        type C = T::Plain;
        #[inline(always)]
        fn take(passed: T::Plain) -> Self {
            Self::from_plain(passed)
        }
        #[inline(always)]
        fn give(self) -> T::Plain {
            self.to_plain()
        }
    }
}

pub use here::*;

/// What a function takes in addition to its operands.
pub trait Number {
    type C;
    fn bits(passed: Self::C) -> u64;
}

impl<T: Passed> Number for T {
    type C = T::C;
    #[inline(always)]
    fn bits(passed: T::C) -> u64 {
        Element::bits(T::take(passed))
    }
}
