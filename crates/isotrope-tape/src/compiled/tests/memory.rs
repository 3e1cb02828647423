//! Memory of this process.

/// Bytes of executable memory, none of which is writable.
pub fn executable_bytes() -> u64 {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
    let sizes = maps.lines().filter_map(|line| {
        let (range, rest) = line.split_once(' ').expect("two columns");
        let access = &rest[..4];
        assert!(!(access.contains('w') && access.contains('x')), "{line}");
        let (begin, end) = range.split_once('-').expect("a range");
        let number = |text| u64::from_str_radix(text, 16).expect("an address");
        access.contains('x').then(|| number(end) - number(begin))
    });
    sizes.sum()
}
