//! The catalog's rows that the tests of networks, of epilogues and of enclosed functions need, by the same kernels as the device's entries: those
//! of `relu`, `relu6` and `maximum`, which have no arguments, of `gelu` and `convert`, which have a mode, and of `softplus`,
//! which has two numbers too; all have one result.

use bitexact::Mode;
use bitexact::catalog::{Arguments, Element, Kernel, Operands, Type, names, types};
use bitexact::format::Binary32;
use cuda_shim::{Body, Place, Run};
use std::ffi::c_void;

/// All of them.
pub fn bodies() -> Vec<Body> {
    let mut bodies = Vec::new();
    macro_rules! row {
        (kernel: relu, $($row:tt)*) => { row! { @emulated relu () $($row)* } };
        (kernel: relu6, $($row:tt)*) => { row! { @emulated relu6 () $($row)* } };
        (kernel: maximum, $($row:tt)*) => { row! { @emulated maximum () $($row)* } };
        (kernel: gelu, $($row:tt)*) => { row! { @emulated gelu Mode $($row)* } };
        (kernel: softplus, $($row:tt)*) => { row! { @emulated softplus ((Binary32, Binary32), Mode) $($row)* } };
        (kernel: convert, $($row:tt)*) => { row! { @emulated convert Mode $($row)* } };
        (
            @emulated $kernel:ident $arguments:tt suffix: [$($suffix:ident)*], operands: ($($operand:ident),*),
            results: $result:ident, $($fields:tt)*
        ) => {
            bodies.push(Body {
                name: concat!(stringify!($kernel) $(, "_", stringify!($suffix))*),
                sizes: &[size_of::<u64>(); <($(types::$operand,)*) as Operands>::TYPES.len() + 3 + <$arguments as Arguments>::WORDS],
                run: Run::Thread(run::<names::$kernel, ($(types::$operand,)*), types::$result, $arguments>),
            });
        };
        ($($other:tt)*) => {};
    }
    bitexact::for_each_kernel!(row);
    bodies
}

/// One thread's elements. The parameters: the operands, the result, the flags or null, the number of elements,
/// and the arguments.
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
    let slice = |k| unsafe { (*parameters.add(k)).cast::<*mut u8>().read_unaligned() };
    // SAFETY: the caller's.
    let n = unsafe {
        (*parameters.add(count + 2))
            .cast::<usize>()
            .read_unaligned()
    };
    let mut words = [0; 4];
    for (k, word) in words.iter_mut().take(A::WORDS).enumerate() {
        // SAFETY: the caller's.
        *word = unsafe {
            (*parameters.add(count + 3 + k))
                .cast::<u32>()
                .read_unaligned()
        }
        .into();
    }
    let Ok(arguments) = A::of_words(&words) else {
        return;
    };
    let (out, flags) = (slice(count), slice(count + 1));
    place.for_each_own(n, |i| {
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
