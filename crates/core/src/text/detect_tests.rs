#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;
use crate::text::{decode, encode};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, KOI8_U, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251};

#[test]
fn kinds_of_bytes() {
    let table: [(&[u8], Detected); 21] = [
        (b"", Detected::Utf8),
        (b"plain\n", Detected::Utf8),
        (b"\xef\xbb\xbfmarked", Detected::Utf8),
        (b"\x01\x02 controls in ASCII", Detected::Utf8),
        (b"\x1b[31mred\x1b[0m", Detected::Utf8),
        (b"caf\xe9\n", Detected::Legacy(WINDOWS_1252)),
        (b"caf\xe9", Detected::Legacy(WINDOWS_1252)),
        (b"\xe9", Detected::Legacy(WINDOWS_1252)),
        (b"caf\xe9\nx=1\n", Detected::Legacy(WINDOWS_1252)),
        (b"a\x1b[0m \x07\x08\x0c\xe9t\xe9", Detected::Legacy(WINDOWS_1252)),
        (b"\xc3\xa9t\xc3\xa9 and \xe9", Detected::Utf8),
        (b"a\0b", Detected::Binary),
        (b"h\0i\0", Detected::Binary),
        (b"\0h\0i", Detected::Binary),
        (b"\xff\xfeh\0i\0", Detected::Utf16Le),
        (b"\xfe\xff\0h\0i", Detected::Utf16Be),
        (b"\xff\xfe", Detected::Utf16Le),
        // UTF-32, a lone surrogate, half a unit.
        (b"\xff\xfe\0\0h\0\0\0", Detected::Binary),
        (b"\xff\xfe\x3d\xd8h\0", Detected::Binary),
        (b"\xff\xfeh\0i", Detected::Binary),
        (b"\xe9\x01\x02", Detected::Binary),
    ];
    for (bytes, want) in table {
        assert_eq!(detect(bytes, true), want, "{bytes:?}");
    }
}

#[test]
fn the_edge_of_a_block_cuts_nothing() {
    let cut = b"caf\xc3";
    assert_eq!(detect(cut, false), Detected::Utf8);
    assert!(matches!(detect(cut, true), Detected::Legacy(_)));
    assert_eq!(detect(b"\xff\xfeh\0\x3d\xd8", false), Detected::Utf16Le);
    assert_eq!(detect(b"\xff\xfeh\0i", false), Detected::Utf16Le);
    // More than the head is not looked at, whoever asks.
    let mut long = vec![b'x'; HEAD_BYTES - 1];
    long.extend_from_slice("\u{e9}\0\0".as_bytes());
    assert_eq!(detect(&long, true), Detected::Utf8);
    assert_eq!(detect(&long, false), Detected::Utf8);
}

#[test]
fn labels_are_those_of_text_decoder() {
    let table = [
        (Detected::Utf8, None),
        (Detected::Binary, None),
        (Detected::Utf16Le, Some("UTF-16LE")),
        (Detected::Utf16Be, Some("UTF-16BE")),
        (Detected::Legacy(SHIFT_JIS), Some("Shift_JIS")),
    ];
    for (encoding, want) in table {
        assert_eq!(encoding.label(), want);
    }
}

#[test]
fn languages() {
    let table = [
        (SHIFT_JIS, "これは日本語のテキストです。文字コードの判定を試します。"),
        (EUC_JP, "これは日本語のテキストです。文字コードの判定を試します。"),
        (GBK, "这是一个用来测试编码检测的中文文本文件,内容很简单。"),
        (BIG5, "這是一個用來測試編碼偵測的中文文字檔案,內容很簡單。"),
        (EUC_KR, "이것은 인코딩 감지를 시험하기 위한 한국어 텍스트 파일입니다."),
        (WINDOWS_1251, "Это простой русский текст для проверки определения кодировки."),
        (KOI8_U, "Это простой русский текст для проверки определения кодировки."),
        (WINDOWS_1250, "Zażółć gęślą jaźń, to jest zwykły polski tekst do sprawdzenia."),
        (WINDOWS_874, "นี่คือข้อความภาษาไทยธรรมดาที่ใช้ทดสอบการตรวจหารหัสอักขระ"),
        (WINDOWS_1252, "Voilà un texte français très ordinaire, à lire où l’on veut."),
    ];
    for (encoding, text) in table {
        let encoding = Detected::Legacy(encoding);
        let bytes = encode(text, encoding).unwrap();
        assert_eq!(detect(&bytes, true), encoding, "{text}");
        assert_eq!(decode(&bytes, encoding).unwrap(), text);
    }
}

#[test]
fn a_line_is_looked_at_where_it_fails() {
    let mut bytes = b"ascii\n".repeat(50_000);
    let invalid = bytes.len() + 3;
    bytes.extend_from_slice(b"caf\xe9\n");
    assert_eq!(redetect(&bytes, invalid), Detected::Legacy(WINDOWS_1252));
    assert_eq!(redetect(b"\xff\xfea\0b\0", 0), Detected::Legacy(WINDOWS_1252));
    let mut endless = vec![b'x'; 100_000];
    endless.push(0xe9);
    assert_eq!(redetect(&endless, 100_000), Detected::Legacy(WINDOWS_1252));
    assert_eq!(redetect(b"ok\n\xff\x00\x01", 3), Detected::Binary);
}
