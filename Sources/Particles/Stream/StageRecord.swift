/// The kinds of records in a stage stream. graphs/VIEW.md specifies their bytes. [any]
package enum StageRecord: UInt8, Sendable {
  /// A description of the stage.
  case stage = 1
  /// The whole state of an emitter.
  case state = 2
  /// One layer of an emitter, replaced as a whole.
  case layer = 3
  /// The changes of a frame; the emitter advances.
  case frame = 4
  /// Fingerprints of an emitter's particles.
  case print = 5
  /// The most particles that an emitter may have.
  case room = 6
  /// The brightness of a frame. (7 is sound, which does not belong to a stage.)
  case brightness = 8

  /// The version of the format.
  package static let version: UInt8 = 1
  /// The bytes of a `RecordHead`.
  package static let headSize = 8

  /// Appends a record to `bytes`: its head, then what `body` writes.
  package func append(to bytes: inout [UInt8], emitter: UInt16 = 0, _ body: (inout ByteWriter) -> Void) {
    var writer = ByteWriter()
    body(&writer)
    bytes.append(contentsOf: Self.head(of: rawValue, emitter: emitter, count: writer.bytes.count))
    bytes.append(contentsOf: writer.bytes)
  }

  /// The head of a record of any kind, with `count` bytes of body.
  package static func head(of kind: UInt8, emitter: UInt16 = 0, count: Int) -> [UInt8] {
    var (writer, head) = (ByteWriter(), RecordHead())
    (head.kind, head.emitter, head.count) = (kind, emitter, UInt32(count))
    head.code(&writer)
    return writer.bytes
  }

  /// Splits a message into records. Records of other kinds or versions are skipped. Returns false where the last
  /// record is longer than the message.
  package static func split(
    _ message: UnsafeRawBufferPointer,
    _ body: (_ kind: StageRecord, _ emitter: UInt16, _ bytes: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    var reader = ByteReader(message)
    while reader.remaining > 0 {
      var head = RecordHead()
      head.code(&reader)
      guard head.count <= UInt32(Int32.max), let bytes = reader.part(Int(head.count)) else { return false }
      guard head.version == Self.version, let kind = StageRecord(rawValue: head.kind) else { continue }
      body(kind, head.emitter, bytes)
    }
    return !reader.failed
  }
}

/// The head of every record.
package struct RecordHead: Sendable {
  /// A `StageRecord`, or the kind of a record that does not belong to a stage.
  package var kind: UInt8 = 0
  /// A reader skips records of versions that it does not know.
  package var version = StageRecord.version
  /// The emitter's number; 0 where the record is for all.
  package var emitter: UInt16 = 0
  /// The bytes that follow.
  package var count: UInt32 = 0

  /// Makes the head of an empty record.
  package init() {}

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code("kind", &kind)
    coder.code("version", &version)
    coder.code("emitter", &emitter)
    coder.code("count", &count)
  }
}
