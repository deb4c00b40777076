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
  /// The bytes of a record's head: kind, version, emitter (16 bits), length of the body (32 bits).
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
    var head = ByteWriter()
    head.write(kind)
    head.write(version)
    head.write(emitter)
    head.write(UInt32(count))
    return head.bytes
  }

  /// Splits a message into records. Records of other kinds or versions are skipped. Returns false where the last
  /// record is longer than the message.
  package static func split(
    _ message: UnsafeRawBufferPointer,
    _ body: (_ kind: StageRecord, _ emitter: UInt16, _ bytes: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    var reader = ByteReader(message)
    while reader.remaining > 0 {
      var (kind, version, emitter, count) = (UInt8(0), UInt8(0), UInt16(0), UInt32(0))
      reader.code(&kind)
      reader.code(&version)
      reader.code(&emitter)
      reader.code(&count)
      guard count <= UInt32(Int32.max), let bytes = reader.part(Int(count)) else { return false }
      if version == Self.version, let kind = StageRecord(rawValue: kind) { body(kind, emitter, bytes) }
    }
    return !reader.failed
  }
}

/// What a page must know of a stage before it can draw. It is the body of a `stage` record.
package struct StageDescription: Sendable {
  package struct Emitter: Sendable, Equatable {
    /// The emitter's number in the stream.
    package var number: UInt16
    /// The id of its node.
    package var id: String

    package init(number: UInt16 = 0, id: String = "") { (self.number, self.id) = (number, id) }
  }

  /// A hash of the sources from which the pages' modules were built.
  package var build: UInt64 = 0
  /// Grows by one with every description of a run.
  package var epoch: UInt32 = 0
  /// In points.
  package var size = Size(width: 1280, height: 720)
  /// The color behind everything.
  package var background = Color(red: 0, green: 0, blue: 0)
  /// Whether each color is clamped on its own (`ToneMapping.clip`) instead of being compressed.
  package var clips = false
  /// The address of a picture that covers the stage; empty if there is none.
  package var picture = ""
  /// Numerator of the frame rate: frames per `seconds`.
  package var frames: UInt32 = 60
  /// Denominator of the frame rate.
  package var seconds: UInt32 = 1
  /// Seconds between the end of a frame and the moment when its sound is heard.
  package var delay = 0.0
  /// The emitters, in the order of the file, which is the drawing order of equal z.
  package var emitters: [Emitter] = []

  /// Makes an empty stage.
  package init() {}

  /// Appends a `stage` record.
  package func append(to bytes: inout [UInt8]) {
    var copy = self
    StageRecord.stage.append(to: &bytes) { copy.code(&$0) }
  }

  package mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(&build)
    coder.code(&epoch)
    coder.code(bounded: &size.width)
    coder.code(bounded: &size.height)
    coder.code(bounded: &background.red)
    coder.code(bounded: &background.green)
    coder.code(bounded: &background.blue)
    coder.code(bounded: &background.alpha)
    coder.code(&clips)
    coder.code(&picture)
    coder.code(&frames)
    coder.code(&seconds)
    coder.code(bounded: &delay)
    var count = UInt16(clamping: emitters.count)
    coder.code(&count)
    for index in 0..<Int(count) where !coder.failed {
      if index == emitters.count { emitters.append(Emitter()) }
      coder.code(&emitters[index].number)
      coder.code(&emitters[index].id)
    }
    if Int(count) < emitters.count { emitters.removeSubrange(Int(count)...) }
  }
}
