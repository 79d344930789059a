//! The catalog's rows that the tests of networks, of epilogues and of enclosed functions need, by
//! the same kernels as the device's entries: all of one f32 with one result; of other operands
//! `relu` and `relu6`, which have no arguments, `gelu` and `convert`, which have a mode,
//! and `softplus`, which has two numbers too.

use bitexact::catalog::{Arguments, Element, Kernel, Operands, Type, names, types};
use bitexact::format::Binary32;
use bitexact::{Mode, Overflow};
use cuda_shim::{Body, Place, Run};
use std::ffi::c_void;

/// All of them.
pub fn bodies() -> Vec<Body> {
    let mut bodies = Vec::new();
    macro_rules! row {
        (
            kernel: $kernel:ident, suffix: $suffix:tt, operands: (f32), results: $result:ident,
            forms: [$({ending: $ending:literal, arguments: $of:ty, $($form:tt)*})*],
            stochastic: [$({ending: $random:literal, $($more:tt)*})?], $($rest:tt)*
        ) => {
            $(row! { @body $kernel $suffix (f32) $result $ending $of })*
            $(row! { @body $kernel $suffix (f32) $result $random (u16, Overflow) })?
        };
        (kernel: relu, $($row:tt)*) => { row! { @emulated relu () $($row)* } };
        (kernel: relu6, $($row:tt)*) => { row! { @emulated relu6 () $($row)* } };
        (kernel: gelu, $($row:tt)*) => { row! { @emulated gelu Mode $($row)* } };
        (kernel: softplus, $($row:tt)*) => { row! { @emulated softplus ((Binary32, Binary32), Mode) $($row)* } };
        (kernel: convert, $($row:tt)*) => { row! { @emulated convert Mode $($row)* } };
        (
            @emulated $kernel:ident $arguments:tt suffix: $suffix:tt, operands: $operands:tt,
            results: $result:ident, $($fields:tt)*
        ) => {
            row! { @body $kernel $suffix $operands $result "" $arguments }
        };
        (
            @body $kernel:ident [$($suffix:ident)*] ($($operand:ident),*) $result:ident $ending:literal $arguments:ty
        ) => {
            bodies.push(Body {
                name: concat!(stringify!($kernel) $(, "_", stringify!($suffix))*, $ending),
                sizes: &[size_of::<u64>(); <($(types::$operand,)*) as Operands>::TYPES.len() + 3 + <$arguments as Arguments>::WORDS],
                run: Run::Thread(run::<names::$kernel, ($(types::$operand,)*), types::$result, $arguments>),
            });
        };
        ($($other:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    bodies
}

/// One thread's elements. The parameters: the operands, the result, the flags or null, the number
/// of elements, and the arguments.
///
/// # Safety
///
/// [`Run`]'s.
unsafe fn run<K: Kernel<O, R, A>, O: Operands, R: Element, A: Arguments>(
    place: Place,
    parameters: *const *const c_void,
) {
    let count = O::TYPES.len();
    // SAFETY: the caller's.
    let word = |k| unsafe { (*parameters.add(k)).cast::<u64>().read_unaligned() };
    let slice = |k| word(k) as *mut u8;
    let n = word(count + 2) as usize;
    let mut words = [0; 4];
    for (k, to) in words.iter_mut().take(A::WORDS).enumerate() {
        *to = word(count + 3 + k);
    }
    let (out, flags) = (slice(count), slice(count + 1));
    place.for_each_own(n, |i| {
        let mut words = words;
        if A::TAKES == <(u16, Overflow) as Arguments>::TAKES {
            // SAFETY: the first word is the address of a random one for each element.
            words[0] = unsafe { *(words[0] as *const u16).add(i) }.into();
        }
        let Ok(arguments) = A::of_words(&words) else {
            return;
        };
        let mut bits = [0; 3];
        for (k, (bits, ty)) in bits.iter_mut().zip(O::TYPES).enumerate() {
            // SAFETY: i < n.
            *bits = unsafe { load(slice(k), i, *ty) };
        }
        let (result, status) = K::call(O::of(&bits), arguments);
        // SAFETY: i < n.
        unsafe {
            store(out, i, R::TYPE, result.bits());
            if !flags.is_null() {
                *flags.add(i) = status.bits();
            }
        }
    });
}

/// # Safety
///
/// `x` has more than `i` elements.
unsafe fn load(x: *const u8, i: usize, ty: Type) -> u64 {
    let mut word = [0; 8];
    // SAFETY: the caller's; no type has more than 8 bytes.
    unsafe { x.add(i * ty.bytes()).copy_to(word.as_mut_ptr(), ty.bytes()) };
    u64::from_le_bytes(word)
}

/// # Safety
///
/// `out` has more than `i` elements.
unsafe fn store(out: *mut u8, i: usize, ty: Type, bits: u64) {
    let word = bits.to_le_bytes();
    // SAFETY: the caller's; no type has more than 8 bytes.
    unsafe { out.add(i * ty.bytes()).copy_from(word.as_ptr(), ty.bytes()) };
}
