/// The records of a stage stream: graphs/VIEW.md says what they hold, byte by byte. [any]
package enum StageRecord: UInt8, Sendable {
  /// What the stage is.
  case stage = 1
  /// All of an emitter.
  case state = 2
  /// One layer of an emitter anew.
  case layer = 3
  /// An emitter goes on.
  case frame = 4
  /// Fingerprints of an emitter's particles.
  case print = 5
  /// How many particles an emitter may have.
  case room = 6
  /// How bright a frame is shown. 7 is sound, which is no part of a stage.
  case brightness = 8

  /// The version of the stream.
  package static let version: UInt8 = 1
  /// Bytes before the body.
  package static let headSize = 8

  /// Appends a record to `bytes`: its head, and what `body` writes.
  package func append(to bytes: inout [UInt8], emitter: UInt16 = 0, _ body: (inout ByteWriter) -> Void) {
    var writer = ByteWriter()
    body(&writer)
    bytes.append(contentsOf: Self.head(of: rawValue, emitter: emitter, count: writer.bytes.count))
    bytes.append(contentsOf: writer.bytes)
  }

  /// The head of a record of any kind, of a stage or not, with so many bytes behind it.
  package static func head(of kind: UInt8, emitter: UInt16 = 0, count: Int) -> [UInt8] {
    var head = ByteWriter()
    head.write(kind)
    head.write(version)
    head.write(emitter)
    head.write(UInt32(count))
    return head.bytes
  }

  /// Takes the records of a message one by one; false where the last is longer than the message. What is of another
  /// kind or version is left out.
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

/// What a page has to know of a stage before it can draw: the body of the record `stage`.
package struct StageDescription: Sendable {
  /// An emitter, as the stream counts it.
  package struct Emitter: Sendable, Equatable {
    /// Its number in the stream.
    package var number: UInt16
    /// The node's id.
    package var id: String

    package init(number: UInt16 = 0, id: String = "") { (self.number, self.id) = (number, id) }
  }

  /// A hash of the sources that the pages' modules were made from.
  package var build: UInt64 = 0
  /// One more with every description of a run.
  package var epoch: UInt32 = 0
  /// Points.
  package var size = Size(width: 1280, height: 720)
  /// Behind everything.
  package var background = Color(red: 0, green: 0, blue: 0)
  /// Whether light ends at each color's own brightest; else it is bent.
  package var clips = false
  /// The address of a picture that covers the stage; empty where there is none.
  package var picture = ""
  /// Frames in `seconds` seconds.
  package var frames: UInt32 = 60
  /// Seconds of `frames` frames.
  package var seconds: UInt32 = 1
  /// Seconds from the end of a frame to the moment when its sound is heard.
  package var delay = 0.0
  /// The emitters, in the order of the file: what is equal in z is drawn in this order.
  package var emitters: [Emitter] = []

  /// An empty stage.
  package init() {}

  /// Appends the record.
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
