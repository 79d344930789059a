//! The block of the thread that asks.

use super::shared;
#[cfg(target_feature = "sm_80")]
use crate::tile::Instruction;
use crate::tile::{Memory, Operands, ThreadBlock, WARP, Words4};
use core::arch::asm;
use core::arch::nvptx::{_block_idx_x, _grid_dim_x, _syncthreads, _thread_idx_x};

pub struct Here;

// An instruction in text would not be known to be the whole warp's.
unsafe extern "C" {
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shuffle(threads: u32, word: u32, lane: u32, clamp: u32) -> u32;
}

#[inline(always)]
fn thread() -> usize {
    // SAFETY: reading a special register has no precondition.
    unsafe { _thread_idx_x() as usize }
}

impl ThreadBlock for Here {
    type Each<T> = T;
    type Memory = Shared;

    #[inline(always)]
    fn number(&self) -> usize {
        // SAFETY: as above.
        unsafe { _block_idx_x() as usize }
    }

    #[inline(always)]
    fn blocks(&self) -> usize {
        // SAFETY: as above.
        unsafe { _grid_dim_x() as usize }
    }

    #[inline(always)]
    fn make<T>(&self, mut f: impl FnMut(usize) -> T) -> T {
        f(thread())
    }

    #[inline(always)]
    fn each<T>(&self, own: &mut T, mut f: impl FnMut(usize, &mut T)) {
        f(thread(), own);
    }

    #[inline(always)]
    fn exchange<T>(
        &self,
        own: &mut T,
        from: impl Fn(usize) -> usize,
        get: impl Fn(&T) -> u32,
        mut put: impl FnMut(&mut T, u32),
    ) {
        let lane = from(thread() % WARP) as u32;
        // SAFETY: bodies have it done by every thread of the block, or by none.
        let word = unsafe { shuffle(u32::MAX, get(own), lane, WARP as u32 - 1) };
        put(own, word);
    }

    #[inline(always)]
    fn agreed<T>(&self, own: &T, f: impl Fn(&T) -> u32) -> u32 {
        f(own)
    }

    #[inline(always)]
    fn phase<T>(&mut self, own: &mut T, mut f: impl FnMut(usize, &mut T, Shared)) {
        f(thread(), own, Shared(shared::begin()));
        // SAFETY: bodies have a phase done by every thread of the block, or by none.
        unsafe { _syncthreads() };
    }

    #[inline(always)]
    fn step<T>(&mut self, own: &mut T, mut f: impl FnMut(usize, &mut T, Shared)) {
        f(thread(), own, Shared(shared::begin()));
    }

    #[inline(always)]
    fn arrive(&mut self) {
        #[cfg(target_feature = "sm_80")]
        // SAFETY: it waits, and so do all threads of the block, or none.
        unsafe {
            asm!("cp.async.wait_group 2;", options(nostack));
            _syncthreads();
        }
    }

    #[inline(always)]
    fn multiply<T, O: Operands>(&self, own: &mut T, mut f: impl FnMut(&mut T) -> (bool, &mut O)) {
        let (active, operands) = f(own);
        if active {
            operands.each(mma::<O>);
        }
    }
}

/// 16 by 8 sums with the products of 32 bytes of 16 rows and of 8 columns added; not in place of
/// what is not sure to be the whole warp's.
#[inline(always)]
fn mma<O: Operands>(
    [c0, c1, c2, c3]: [u32; 4],
    [a0, a1, a2, a3]: [u32; 4],
    [b0, b1]: [u32; 2],
) -> [u32; 4] {
    #[cfg(target_feature = "sm_80")]
    {
        macro_rules! instruction {
            ($name:literal) => {{
                let (d0, d1, d2, d3);
                // SAFETY: it computes registers from others; every thread of a warp does it, or
                // none.
                unsafe {
                    asm!(
                        concat!(
                            "mma.sync.aligned.", $name, " {{{d0}, {d1}, {d2}, {d3}}}, \
                             {{{a0}, {a1}, {a2}, {a3}}}, {{{b0}, {b1}}}, {{{c0}, {c1}, {c2}, {c3}}};"
                        ),
                        d0 = out(reg32) d0, d1 = out(reg32) d1, d2 = out(reg32) d2,
                        d3 = out(reg32) d3, c0 = in(reg32) c0, c1 = in(reg32) c1,
                        c2 = in(reg32) c2, c3 = in(reg32) c3, a0 = in(reg32) a0,
                        a1 = in(reg32) a1, a2 = in(reg32) a2, a3 = in(reg32) a3,
                        b0 = in(reg32) b0, b1 = in(reg32) b1, options(nomem, nostack)
                    );
                }
                [d0, d1, d2, d3]
            }};
        }
        match O::INSTRUCTION {
            Instruction::S8 => instruction!("m16n8k32.row.col.s32.s8.s8.s32"),
            Instruction::Bf16 => instruction!("m16n8k16.row.col.f32.bf16.bf16.f32"),
            Instruction::F16 => instruction!("m16n8k16.row.col.f32.f16.f16.f32"),
            Instruction::Tf32 => instruction!("m16n8k8.row.col.f32.tf32.tf32.f32"),
        }
    }
    #[cfg(not(target_feature = "sm_80"))]
    {
        let _ = (O::INSTRUCTION, a0, a1, a2, a3, b0, b1);
        [c0, c1, c2, c3]
    }
}

/// The block's memory, by its first address.
#[derive(Clone, Copy)]
pub struct Shared(u32);

impl Memory for Shared {
    #[inline(always)]
    unsafe fn read(self, at: usize) -> u32 {
        // SAFETY: the caller's.
        unsafe { <u32 as shared::Word>::read(self.0 + at as u32) }
    }

    #[inline(always)]
    unsafe fn write(self, at: usize, word: u32) {
        // SAFETY: the caller's.
        unsafe { shared::store(self.0 + at as u32, word) };
    }

    #[inline(always)]
    unsafe fn read2(self, at: usize) -> u64 {
        let word;
        // SAFETY: the caller's.
        unsafe {
            asm!(
                "ld.shared.u64 {word}, [{at}];", at = in(reg32) self.0 + at as u32,
                word = out(reg64) word, options(pure, readonly, nostack)
            );
        }
        word
    }

    #[inline(always)]
    unsafe fn write2(self, at: usize, word: u64) {
        // SAFETY: the caller's.
        unsafe {
            asm!(
                "st.shared.u64 [{at}], {word};", at = in(reg32) self.0 + at as u32,
                word = in(reg64) word, options(nostack)
            );
        }
    }

    #[inline(always)]
    unsafe fn read4(self, at: usize) -> [u32; 4] {
        let (a, b, c, d);
        // SAFETY: the caller's.
        unsafe {
            asm!(
                "ld.shared.v4.u32 {{{a}, {b}, {c}, {d}}}, [{at}];", at = in(reg32) self.0 + at as u32,
                a = out(reg32) a, b = out(reg32) b, c = out(reg32) c, d = out(reg32) d,
                options(pure, readonly, nostack)
            );
        }
        [a, b, c, d]
    }

    #[inline(always)]
    unsafe fn write4(self, at: usize, words: [u32; 4]) {
        // SAFETY: the caller's.
        unsafe { shared::store4(self.0 + at as u32, words) };
    }

    #[inline(always)]
    unsafe fn copy4(self, at: usize, from: *const Words4) {
        #[cfg(target_feature = "sm_80")]
        // SAFETY: the caller's.
        unsafe {
            asm!(
                "{{ .reg .u64 from; cvta.to.global.u64 from, {from}; cp.async.cg.shared.global [{at}], [from], 16; }}",
                from = in(reg64) from, at = in(reg32) self.0 + at as u32, options(nostack)
            );
        }
        #[cfg(not(target_feature = "sm_80"))]
        let _ = (at, from);
    }

    #[inline(always)]
    fn commit(self) {
        #[cfg(target_feature = "sm_80")]
        // SAFETY: it only counts.
        unsafe {
            asm!("cp.async.commit_group;", options(nostack));
        }
    }
}
