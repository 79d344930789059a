//! Random texts: words that have a meaning, and bytes that do not.

use host_tests::domain::SplitMix64;

/// One of these.
pub fn one_of<T: Copy>(rng: &mut SplitMix64, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize]
}

/// Up to `most` of these words, some characters and some numbers, in any order.
pub fn text(rng: &mut SplitMix64, words: &[&str], most: u32) -> String {
    const CHARACTERS: &[char] = &[
        '0',
        '1',
        '7',
        '9',
        'a',
        'F',
        'x',
        'X',
        'p',
        'e',
        'E',
        '.',
        '+',
        '-',
        ' ',
        '\t',
        '_',
        ',',
        '=',
        ':',
        '/',
        '#',
        '\n',
        '\0',
        '*',
        '"',
        '[',
        '{',
        '\u{e9}',
        '\u{221e}',
        '\u{feff}',
        '\u{1f600}',
        '\u{7f}',
    ];
    let mut text = String::new();
    for _ in 0..rng.below(most + 1) {
        match rng.below(8) {
            0 => text.push(one_of(rng, CHARACTERS)),
            1 => text.push_str(&number(rng)),
            _ => text.push_str(one_of(rng, words)),
        }
    }
    text
}

/// A text with some of its characters changed, removed, duplicated or truncated; often unchanged.
pub fn damaged(rng: &mut SplitMix64, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..rng.below(4) {
        if characters.is_empty() {
            break;
        }
        let at = rng.below(characters.len() as u32) as usize;
        match rng.below(6) {
            0 => drop(characters.remove(at)),
            1 => characters.insert(at, characters[at]),
            2 => characters.truncate(at),
            3 => characters[at] = char::from_u32(rng.below(0x300)).unwrap_or(' '),
            4 => characters
                .splice(at..at, number(rng).chars())
                .for_each(drop),
            _ => characters[at] = one_of(rng, &['0', '9', 'F', '-', '.', ' ', '/', ',']),
        }
    }
    characters.into_iter().collect()
}

/// A number of any size and spelling.
pub fn number(rng: &mut SplitMix64) -> String {
    let any = rng.next() >> rng.below(64);
    match rng.below(8) {
        0 => u64::MAX.to_string(),
        1 => format!("{any:X}"),
        2 => format!("{any:#x}"),
        3 => format!("-{any}"),
        4 => format!("{}.{any}", any >> 32),
        5 => format!("{any}e{}", rng.between(-1100, 1100)),
        6 => format!("0x1.{any:x}p{}", rng.between(-1100, 1100)),
        _ => (any & 0xFF).to_string(),
    }
}
