//! A block of threads on this host, run thread by thread, phase by phase.

use crate::tile::{Instruction, Memory, Operands, ThreadBlock, WARP, Words4, load4};
use bitexact::format::{Arithmetic, Format};
use bitexact::reduce::Unit;
use bitexact::{bf16, f16};

/// A block of a grid.
#[derive(Debug)]
pub struct HostBlock {
    number: usize,
    blocks: usize,
    /// The order in which threads do a phase: a new one each time.
    order: Vec<usize>,
    /// Words of 16 bytes; other bits than what is written.
    memory: Vec<[u32; 4]>,
}

impl HostBlock {
    /// The block of that number, of so many, with threads and bytes of memory.
    #[must_use]
    pub fn new(number: usize, blocks: usize, threads: usize, bytes: usize) -> Self {
        Self {
            number,
            blocks,
            order: (0..threads).collect(),
            memory: vec![[0xA5A5_A5A5; 4]; bytes.div_ceil(16)],
        }
    }

    /// Another order: of an odd stride, halves exchanged, or backwards.
    fn reorder(&mut self) {
        let n = self.order.len();
        self.order.rotate_left(n / 3);
        let (first, last) = self.order.split_at(n / 2);
        let mut mixed: Vec<usize> = Vec::with_capacity(n);
        for k in 0..n - n / 2 {
            mixed.extend(last.get(k));
            mixed.extend(first.get(k));
        }
        self.order = mixed;
    }
}

impl ThreadBlock for HostBlock {
    type Each<T> = Vec<T>;
    type Memory = HostMemory;

    fn number(&self) -> usize {
        self.number
    }

    fn blocks(&self) -> usize {
        self.blocks
    }

    fn make<T>(&self, f: impl FnMut(usize) -> T) -> Vec<T> {
        (0..self.order.len()).map(f).collect()
    }

    fn each<T>(&self, own: &mut Vec<T>, mut f: impl FnMut(usize, &mut T)) {
        for &thread in &self.order {
            f(thread, &mut own[thread]);
        }
    }

    fn exchange<T>(
        &self,
        own: &mut Vec<T>,
        from: impl Fn(usize) -> usize,
        get: impl Fn(&T) -> u32,
        mut put: impl FnMut(&mut T, u32),
    ) {
        assert!(own.len().is_multiple_of(WARP), "a part of a warp");
        let words: Vec<u32> = own.iter().map(get).collect();
        for (thread, own) in own.iter_mut().enumerate() {
            let lane = from(thread % WARP);
            assert!(lane < WARP, "lane {lane}");
            put(own, words[thread / WARP * WARP + lane]);
        }
    }

    fn agreed<T>(&self, own: &Vec<T>, f: impl Fn(&T) -> u32) -> u32 {
        let first = own.first().map_or(0, &f);
        assert!(
            own.iter().all(|own| f(own) == first),
            "the threads disagree"
        );
        first
    }

    fn phase<T>(&mut self, own: &mut Vec<T>, mut f: impl FnMut(usize, &mut T, HostMemory)) {
        self.reorder();
        let words = self.memory.as_flattened_mut();
        let memory = HostMemory {
            words: words.as_mut_ptr(),
            length: words.len(),
        };
        for &thread in &self.order {
            f(thread, &mut own[thread], memory);
        }
    }

    fn step<T>(&mut self, own: &mut Vec<T>, f: impl FnMut(usize, &mut T, HostMemory)) {
        self.phase(own, f);
    }

    fn arrive(&mut self) {}

    fn multiply<T, O: Operands>(
        &self,
        own: &mut Vec<T>,
        mut f: impl FnMut(&mut T) -> (bool, &mut O),
    ) {
        for warp in own.chunks_exact_mut(WARP) {
            let mut lanes: Vec<_> = warp.iter_mut().map(&mut f).collect();
            let active = lanes.iter().filter(|lane| lane.0).count();
            assert!(active.is_multiple_of(WARP), "a part of a warp");
            if active == 0 {
                continue;
            }
            // What each lane multiplies, in the order of the products.
            let mut operands = Vec::new();
            for (_, lane) in &mut lanes {
                let mut own = Vec::new();
                lane.each(|c, a, b| {
                    own.push((a, b));
                    c
                });
                operands.push(own);
            }
            for (lane, (_, own)) in lanes.iter_mut().enumerate() {
                let mut number = 0;
                own.each(|mut sums, _, _| {
                    for (c, sum) in sums.iter_mut().enumerate() {
                        let (row, column) = (lane / 4 + 8 * (c / 2), lane % 4 * 2 + c % 2);
                        // The lanes and registers that have row and column, by word of k.
                        let pairs: [[u32; 2]; 8] = core::array::from_fn(|word| {
                            let (place, half) = (word % 4, word / 4);
                            let a = operands[row % 8 * 4 + place][number].0[row / 8 + 2 * half];
                            [a, operands[column * 4 + place][number].1[half]]
                        });
                        *sum = added(O::INSTRUCTION, *sum, pairs);
                    }
                    number += 1;
                    sums
                });
            }
        }
    }
}

/// A sum with the products of 32 bytes added. Units are Hopper's.
fn added(instruction: Instruction, sum: u32, pairs: [[u32; 2]; 8]) -> u32 {
    fn step<T: Arithmetic, const N: usize>(unit: Unit, sum: u32, pairs: [[u32; 2]; 8]) -> u32 {
        let each = 8 * size_of::<T>();
        let side = |which: usize| -> [T; N] {
            core::array::from_fn(|i| {
                let word = pairs[i * each / 32][which] >> (i * each % 32);
                Format::from_bits(u64::from(word) & (u64::MAX >> (64 - each)))
            })
        };
        let next = unit.step(&side(0), &side(1), f32::from_bits(sum));
        next.expect("operands of the unit").to_bits()
    }
    match instruction {
        Instruction::S8 => {
            let byte = |word: u32, at: usize| i32::from((word >> (8 * at)) as u8 as i8);
            let all = pairs
                .iter()
                .flat_map(|[a, b]| (0..4).map(|k| byte(*a, k) * byte(*b, k)));
            let sum = all.fold(sum as i32, |sum, product| {
                sum.checked_add(product).expect("a sum in s32 overflows")
            });
            sum as u32
        }
        Instruction::Bf16 => step::<bf16, 16>(Unit::HOPPER_BF16, sum, pairs),
        Instruction::F16 => step::<f16, 16>(Unit::HOPPER_F16, sum, pairs),
        Instruction::Tf32 => step::<f32, 8>(Unit::HOPPER_TF32, sum, pairs),
    }
}

/// A block's memory: an access beyond it, or one that is not aligned, panics.
#[derive(Clone, Copy, Debug)]
pub struct HostMemory {
    words: *mut u32,
    length: usize,
}

impl HostMemory {
    fn at<const N: usize>(self, at: usize) -> *mut [u32; N] {
        assert!(
            at.is_multiple_of(4 * N) && at / 4 + N <= self.length,
            "{N} words at byte {at} of {}",
            4 * self.length
        );
        self.words.wrapping_add(at / 4).cast()
    }
}

// SAFETY of all: `at` has checked the place, the block outlives its phases, and one thread
// runs them.
impl Memory for HostMemory {
    unsafe fn read(self, at: usize) -> u32 {
        unsafe { self.at::<1>(at).cast::<u32>().read() }
    }

    unsafe fn write(self, at: usize, word: u32) {
        unsafe { self.at::<1>(at).cast::<u32>().write(word) };
    }

    unsafe fn read2(self, at: usize) -> u64 {
        let [low, high] = unsafe { self.at::<2>(at).read() };
        u64::from(high) << 32 | u64::from(low)
    }

    unsafe fn write2(self, at: usize, word: u64) {
        unsafe { self.at::<2>(at).write([word as u32, (word >> 32) as u32]) };
    }

    unsafe fn read4(self, at: usize) -> [u32; 4] {
        unsafe { self.at::<4>(at).read() }
    }

    unsafe fn write4(self, at: usize, words: [u32; 4]) {
        unsafe { self.at::<4>(at).write(words) };
    }

    unsafe fn copy4(self, at: usize, from: *const Words4) {
        unsafe { self.write4(at, load4(from)) };
    }

    fn commit(self) {}
}
