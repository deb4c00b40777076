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
    coder.code("build", &build)
    coder.code("epoch", &epoch)
    coder.code("width", bounded: &size.width)
    coder.code("height", bounded: &size.height)
    coder.code("red", bounded: &background.red)
    coder.code("green", bounded: &background.green)
    coder.code("blue", bounded: &background.blue)
    coder.code("alpha", bounded: &background.alpha)
    coder.code("clips", &clips)
    coder.code("picture", &picture)
    coder.code("frames", &frames)
    coder.code("seconds", &seconds)
    coder.code("delay", bounded: &delay)
    coder.code("emitters", &emitters, new: Emitter()) { emitter, coder in
      coder.code("number", &emitter.number)
      coder.code("id", &emitter.id)
    }
  }
}
