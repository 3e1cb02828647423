//! Trajectories survive the way through every format, and so do parts of them.

mod read;

use std::path::Path;

use isotrope_kernel::integrate::{Sink as _, SinkError};
use isotrope_output::writers::{
    Columns, FORMATS, Wav, WriteError, Writer, Written, is_sound, open, trajectory_columns,
};
use proptest::prelude::*;
use read::{left_behind, npy, read};
use tempfile::TempDir;

/// Rows of a block of a narrow file.
const BLOCK: usize = 1 << 16;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|k| format!("x[{k}]")).collect()
}

fn write(path: &Path, names: &[String], rows: &[Vec<f64>]) -> Written {
    let mut writer = open(path, names).unwrap();
    for row in rows {
        writer.row(row).unwrap();
    }
    writer.finish().unwrap()
}

/// Every double but NaN, whose bits text does not tell.
fn any_double() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |x| !x.is_nan()),
        (0..1_u64 << 52).prop_map(f64::from_bits),
        Just(-0.0),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE),
        Just(f64::from_bits(1)),
        -1e3..1e3,
    ]
}

fn any_rows() -> impl Strategy<Value = (usize, Vec<Vec<f64>>)> {
    (1..20_usize).prop_flat_map(|columns| {
        let row = proptest::collection::vec(any_double(), columns);
        (Just(columns), proptest::collection::vec(row, 0..40))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_format_keeps_every_bit((columns, rows) in any_rows()) {
        let folder = TempDir::new().unwrap();
        let names = names(columns);
        for format in FORMATS {
            let path = folder.path().join("run").with_extension(format.extension);
            let written = write(&path, &names, &rows);
            prop_assert_eq!(written.rows, rows.len() as u64);
            prop_assert_eq!(written.bytes, path.metadata().unwrap().len());
            let (found, values) = read(&path);
            prop_assert_eq!(&found, &names);
            for (k, column) in values.iter().enumerate() {
                let expected: Vec<u64> = rows.iter().map(|row| row[k].to_bits()).collect();
                prop_assert_eq!(column, &expected);
            }
        }
    }
}

fn row(k: usize) -> [f64; 3] {
    let k = k as f64;
    [k, -k / 3.0, 1.0 / (k + 1.0)]
}

fn expect_rows(path: &Path, rows: usize) {
    let (names, columns) = read(path);
    assert_eq!(names, ["t", "x", "v_x"]);
    for (k, column) in columns.iter().enumerate() {
        assert_eq!(column.len(), rows);
        assert!((0..rows).all(|n| column[n] == row(n)[k].to_bits()));
    }
}

fn three() -> Vec<String> {
    ["t", "x", "v_x"].map(str::to_owned).to_vec()
}

fn files(folder: &TempDir) -> Vec<String> {
    let entries = folder.path().read_dir().unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn long_runs_are_put_together_from_blocks_and_nothing_else_is_left() {
    for format in FORMATS {
        for rows in [BLOCK, 2 * BLOCK + 17] {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("run").with_extension(format.extension);
            let mut writer = open(&path, &three()).unwrap();
            (0..rows).for_each(|k| writer.row(&row(k)).unwrap());
            let written = writer.finish().unwrap();
            assert_eq!((written.rows, written.path.as_path()), (rows as u64, path.as_path()));
            assert_eq!(written.bytes, path.metadata().unwrap().len());
            expect_rows(&path, rows);
            assert_eq!(files(&folder), [format!("run.{}", format.extension)]);
        }
    }
}

#[test]
fn a_writer_that_is_dropped_leaves_all_its_rows() {
    for format in FORMATS {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("run").with_extension(format.extension);
        let mut writer = open(&path, &three()).unwrap();
        (0..BLOCK + 5).for_each(|k| writer.row(&row(k)).unwrap());
        drop(writer);
        expect_rows(&path, BLOCK + 5);
        assert_eq!(files(&folder).len(), 1);
    }
}

/// Forgetting a writer is what killing the process does to its file.
#[test]
fn a_run_that_is_killed_leaves_its_blocks() {
    let folder = TempDir::new().unwrap();
    for format in FORMATS {
        let path = folder.path().join("run").with_extension(format.extension);
        let mut writer = open(&path, &three()).unwrap();
        (0..3 * BLOCK - 1).for_each(|k| writer.row(&row(k)).unwrap());
        std::mem::forget(writer);
        let columns = left_behind(&path);
        assert_eq!(columns.len(), 3, "{}", format.extension);
        for (k, column) in columns.iter().enumerate() {
            assert!(column.len() >= 2 * BLOCK, "{}: {} rows", format.extension, column.len());
            assert!(column.iter().enumerate().all(|(n, bits)| row(n)[k].to_bits() == *bits));
        }
    }
}

/// Files replace old ones when they are whole, and not before.
#[test]
fn an_old_file_stays_until_the_new_one_is_whole() {
    let folder = TempDir::new().unwrap();
    let columns = Columns::new(&three()).unwrap();
    let sound = |path: &Path| -> Box<dyn Writer> {
        Box::new(Wav::create(path, &columns, &three()[1], 100).unwrap())
    };
    type Make<'m> = &'m dyn Fn(&Path) -> Box<dyn Writer>;
    let trajectory = |path: &Path| open(path, &three()).unwrap();
    let all =
        FORMATS.iter().map(|format| (format!("run.{}", format.extension), &trajectory as Make<'_>));
    for (name, make) in all.chain([("run.wav".to_owned(), &sound as Make<'_>)]) {
        let path = folder.path().join(&name);
        let link = folder.path().join(format!("link-{name}"));
        std::fs::write(&path, "old").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&name, &link).unwrap();
        #[cfg(not(unix))]
        let link = path.clone();
        let mut killed = make(&link);
        killed.row(&[0.0, 1.0, 2.0]).unwrap();
        std::mem::forget(killed);
        assert_eq!(std::fs::read(&path).unwrap(), b"old", "{name}");
        let mut whole = make(&link);
        whole.row(&[0.0, 1.0, 2.0]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old", "{name}");
        let written = whole.finish().unwrap();
        assert_eq!((written.path.as_path(), written.rows), (link.as_path(), 1));
        assert_eq!(std::fs::read(&path).unwrap().len() as u64, written.bytes, "{name}");
        assert!(!folder.path().join(format!("{name}.partial")).exists());
    }
}

/// Between two rows, that is; within a row it is a matter of an instant.
#[test]
fn parquet_files_can_be_read_at_any_time() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.parquet");
    let partial = folder.path().join("run.parquet.partial");
    let mut writer = open(&path, &three()).unwrap();
    expect_rows(&partial, 0);
    for block in 0..5 {
        (0..BLOCK).for_each(|k| writer.row(&row(block * BLOCK + k)).unwrap());
        expect_rows(&partial, (block + 1) * BLOCK);
    }
    writer.row(&row(5 * BLOCK)).unwrap();
    let written = writer.finish().unwrap();
    expect_rows(&path, 5 * BLOCK + 1);
    // The gaps are closed: what is not data is small.
    assert!(written.bytes < (5 * BLOCK as u64 + 1) * 24 + 4096);
}

#[test]
fn an_older_longer_file_leaves_no_trace() {
    let folder = TempDir::new().unwrap();
    for format in FORMATS {
        let path = folder.path().join("run").with_extension(format.extension);
        let rows: Vec<Vec<f64>> = (0..1000).map(|k| row(k).to_vec()).collect();
        write(&path, &three(), &rows);
        write(&path, &three(), &rows[..2]);
        expect_rows(&path, 2);
    }
}

/// The chain of a thousand links has 7002 columns; a block of it has fewer rows.
#[test]
fn wide_files_have_smaller_blocks() {
    let coordinates: Vec<String> =
        (1..=1000).flat_map(|k| [format!("x[{k}]"), format!("y[{k}]")]).collect();
    let constraints: Vec<String> = (1..=1000).map(|k| format!("rod[{k}]")).collect();
    let columns = trajectory_columns(&coordinates, &constraints);
    assert_eq!(columns.len(), 7002);
    for format in FORMATS {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("chain").with_extension(format.extension);
        let rows: Vec<Vec<f64>> = (0..700)
            .map(|n| (0..columns.len()).map(|k| (n * columns.len() + k) as f64).collect())
            .collect();
        write(&path, &columns, &rows);
        let (names, values) = read(&path);
        assert_eq!(names, columns);
        for (k, column) in values.iter().enumerate() {
            assert!(rows.iter().zip(column).all(|(row, bits)| row[k].to_bits() == *bits));
        }
    }
}

#[test]
fn the_documentation_names_every_format() {
    let page = include_str!("../../../../docs/output.md");
    for format in FORMATS {
        let name = format!("`.{}`", format.extension);
        assert!(page.contains(&name), "docs/output.md does not name {name}");
    }
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    for format in FORMATS {
        let rows: Vec<Vec<f64>> = (0..100).map(|k| row(k).to_vec()).collect();
        let bytes = ["a", "b"].map(|name| {
            let path = folder.path().join(name).with_extension(format.extension);
            write(&path, &three(), &rows);
            std::fs::read(&path).unwrap()
        });
        assert_eq!(bytes[0], bytes[1]);
    }
}

#[test]
fn decimals_are_short() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.csv");
    write(&path, &three(), &[vec![1e300, 0.1, -5e-324], vec![-0.0, 1.0, 123456.789]]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "t,x,v_x\n1e+300,0.1,-5e-324\n-0.0,1.0,123456.789\n");
}

fn refusal(path: &Path, columns: &[&str]) -> WriteError {
    let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
    match open(path, &columns) {
        Ok(_) => panic!("{} should be refused", path.display()),
        Err(error) => error,
    }
}

#[test]
fn refusals_say_what_to_do() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("missing");
    let told = |error: WriteError| {
        let text = format!("{} {error}\n  {}\n", error.code(), error.hint());
        text.replace(&folder.path().display().to_string(), "FOLDER")
    };
    let text = [
        refusal("run.xlsx".as_ref(), &["t"]),
        refusal("results/run".as_ref(), &["t"]),
        refusal("run.csv".as_ref(), &[]),
        refusal("run.csv".as_ref(), &["t", "x", "v_x", "v_x"]),
        refusal(&missing.join("run.npz"), &["t"]),
    ]
    .map(told)
    .concat();
    insta::assert_snapshot!(text);
    assert_eq!(files(&folder), [""; 0]);
}

#[test]
fn rows_of_another_length_are_refused() {
    let folder = TempDir::new().unwrap();
    for format in FORMATS {
        let path = folder.path().join("run").with_extension(format.extension);
        let mut writer = open(&path, &three()).unwrap();
        writer.row(&row(0)).unwrap();
        let error: SinkError = writer.row(&[1.0]).unwrap_err();
        assert_eq!(error.to_string(), "a row of 1 entries for 3 columns");
        assert!(error.inner().downcast_ref::<WriteError>().is_some());
        writer.finish().unwrap();
        expect_rows(&path, 1);
    }
}

/// `/dev/full` is a disk without room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = TempDir::new().unwrap();
    for format in FORMATS {
        let path = folder.path().join("full").with_extension(format.extension);
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let error = match open(&path, &three()) {
            Ok(mut writer) => {
                writer.row(&row(0)).unwrap();
                writer.finish().unwrap_err()
            }
            Err(error) => error,
        };
        assert_eq!(error.code().text(), "ISO-OUTPUT-006");
        assert!(error.to_string().contains("No space left"), "{error}");
    }
}

/// An archive that cannot be made leaves the rows where they are.
#[cfg(target_os = "linux")]
#[test]
fn rows_survive_an_archive_that_cannot_be_made() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("full.npz");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let mut writer = open(&path, &three()).unwrap();
    (0..BLOCK).for_each(|k| writer.row(&row(k)).unwrap());
    let error = writer.finish().unwrap_err();
    let WriteError::Assemble { partial, .. } = error else { panic!("{error}") };
    assert_eq!(npy(&std::fs::read(partial).unwrap()).0, [1, 3, BLOCK]);
}

/// The header says what the file is, samples are the column times the factor, and a last row that comes before
/// its time is left out.
#[test]
fn sound_is_a_column_scaled_to_its_peak() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tone.wav");
    assert!(is_sound(&path) && !is_sound("tone.csv".as_ref()));
    let columns = Columns::new(&["t".to_owned(), "x".to_owned(), "y".to_owned()]).unwrap();
    let signal = [0.0, -4.0, 2.0, 1.0];
    let mut wav = Box::new(Wav::create(&path, &columns, "y", 8000).unwrap());
    for (k, &y) in signal.iter().enumerate() {
        wav.row(&[k as f64 / 8000.0, 7.0, y]).unwrap();
    }
    wav.row(&[3.5 / 8000.0, 7.0, 100.0]).unwrap();
    let written = wav.finish().unwrap();
    assert_eq!((written.rows, written.scale), (4, Some(0.99 / 4.0)));
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let short = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
    assert_eq!(word(4) as usize, bytes.len() - 8);
    // IEEE floating point, one channel, 8000 samples of 4 bytes a second.
    assert_eq!((word(16), short(20), short(22)), (18, 3, 1));
    assert_eq!((word(24), word(28), short(32), short(34)), (8000, 32000, 4, 32));
    assert_eq!((&bytes[38..42], word(46)), (&b"fact"[..], 4));
    assert_eq!((&bytes[50..54], word(54)), (&b"data"[..], 16));
    for (k, &y) in signal.iter().enumerate() {
        let sample = f32::from_bits(word(58 + 4 * k));
        assert!((f64::from(sample) - 0.99 * y / 4.0).abs() < 1e-7);
    }
}

#[test]
fn sound_needs_a_column_and_numbers() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("tone.wav");
    let columns = Columns::new(&["t".to_owned(), "x".to_owned()]).unwrap();
    let refused = Wav::create(&path, &columns, "y", 8000);
    assert!(matches!(refused, Err(WriteError::NoSignal { .. })));
    let mut wav = Wav::create(&path, &columns, "x", 8000).unwrap();
    let refused = wav.row(&[0.0, f64::NAN]).unwrap_err();
    let refused = refused.inner().downcast_ref::<WriteError>();
    assert!(matches!(refused, Some(WriteError::NoNumber { .. })));
}
