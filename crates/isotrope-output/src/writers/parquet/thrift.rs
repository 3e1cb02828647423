//! The part of Thrift's compact protocol that an index of a Parquet file needs.
//!
//! A structure is a list of fields, each a byte with the distance to the number of the field
//! before it and a type, then the value; a zero ends it. Integers are zigzag varints.
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// The type of the elements of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Integer,
    Text,
    Struct,
}

/// Writes one structure after the other into memory.
#[derive(Debug, Default)]
pub(super) struct Compact {
    bytes: Vec<u8>,
    /// The last field of each open structure.
    open: Vec<u8>,
}

impl Compact {
    /// What was written since the last call; structures stay open.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Begins a structure that is not a field: the outermost one, or an element of a list.
    pub(super) fn begin(&mut self) {
        self.open.push(0);
    }

    pub(super) fn end(&mut self) {
        self.bytes.push(0);
        self.open.pop();
    }

    pub(super) fn i32(&mut self, field: u8, value: i32) {
        self.field(field, I32);
        self.zigzag(i64::from(value));
    }

    pub(super) fn i64(&mut self, field: u8, value: i64) {
        self.field(field, I64);
        self.zigzag(value);
    }

    pub(super) fn text(&mut self, field: u8, text: &str) {
        self.field(field, BINARY);
        self.text_element(text);
    }

    /// Begins a structure that is a field.
    pub(super) fn structure(&mut self, field: u8) {
        self.field(field, STRUCT);
        self.begin();
    }

    /// Begins a list; its elements follow.
    pub(super) fn list(&mut self, field: u8, element: Element, length: usize) {
        self.field(field, LIST);
        let kind = match element {
            Element::Integer => I32,
            Element::Text => BINARY,
            Element::Struct => STRUCT,
        };
        match u8::try_from(length) {
            Ok(short @ 0..15) => self.bytes.push(short << 4 | kind),
            _ => {
                self.bytes.push(0xf0 | kind);
                self.varint(length as u64);
            }
        }
    }

    pub(super) fn integer_element(&mut self, value: i32) {
        self.zigzag(i64::from(value));
    }

    pub(super) fn text_element(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Fields come in ascending order and less than 16 apart.
    fn field(&mut self, field: u8, kind: u8) {
        if let Some(last) = self.open.last_mut() {
            self.bytes.push((field - *last) << 4 | kind);
            *last = field;
        }
    }

    fn zigzag(&mut self, value: i64) {
        self.varint((value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned());
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

/// Reads what [`Compact`] writes.
#[derive(Debug)]
pub(super) struct Reader<'b> {
    rest: &'b [u8],
}

/// A value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Integer(i64),
    Text(Vec<u8>),
    List(Vec<Value>),
    Struct(Vec<(u8, Value)>),
}

impl Value {
    pub(super) fn field(&self, number: u8) -> Option<&Self> {
        let Self::Struct(fields) = self else { return None };
        fields.iter().find(|(own, _)| *own == number).map(|(_, value)| value)
    }

    pub(super) fn integer(&self, number: u8) -> Option<i64> {
        match self.field(number)? {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn text(&self, number: u8) -> Option<String> {
        match self.field(number)? {
            Self::Text(bytes) => String::from_utf8(bytes.clone()).ok(),
            _ => None,
        }
    }

    pub(super) fn list(&self, number: u8) -> Option<&[Self]> {
        match self.field(number)? {
            Self::List(list) => Some(list),
            _ => None,
        }
    }
}

/// Structures inside of structures, at most.
const DEPTH: usize = 8;

impl<'b> Reader<'b> {
    pub(super) fn new(rest: &'b [u8]) -> Self {
        Self { rest }
    }

    /// The bytes behind what was read.
    pub(super) fn rest(&self) -> &'b [u8] {
        self.rest
    }

    /// One structure; `None` for anything else.
    pub(super) fn structure(&mut self) -> Option<Value> {
        self.fields(DEPTH)
    }

    fn fields(&mut self, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let mut fields = Vec::new();
        let mut last = 0_u8;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Value::Struct(fields));
            }
            last = last.checked_add(head >> 4).filter(|_| head >> 4 != 0)?;
            fields.push((last, self.value(head & 15, depth)?));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value> {
        match kind {
            I32 | I64 => {
                let value = self.varint()?;
                Some(Value::Integer((value >> 1).cast_signed() ^ -(value & 1).cast_signed()))
            }
            BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                let (text, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                Some(Value::Text(text.to_vec()))
            }
            LIST => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    short => u64::from(short),
                };
                // Every element has a byte at least.
                let length = usize::try_from(length).ok().filter(|n| *n <= self.rest.len())?;
                (0..length)
                    .map(|_| self.value(head & 15, depth))
                    .collect::<Option<_>>()
                    .map(Value::List)
            }
            STRUCT => self.fields(depth),
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}
