import ArgumentParser
import Glibc
import Hosts
import Rendering
import Synchronization
import System

/// What a rendering writes, by the ending of its name.
enum RenderOutput {
  /// Levels of every frame.
  case levels(path: String, LevelsFile.Layout)
  /// Every packet.
  case score(path: String)
  /// One picture.
  case picture(path: String)
  /// A picture of every frame.
  case frames(PictureSequenceName)
  /// A video.
  case video(path: String, VideoFormat)

  /// Why a name says nothing.
  struct NameError: Error {
    let message: String
  }

  init(_ path: String) throws(NameError) {
    if let layout = LevelsFile.layout(of: path) {
      self = .levels(path: path, layout)
    } else if path.hasSuffix(".osc") {
      self = .score(path: path)
    } else if let format = VideoFormat(path: path) {
      self = .video(path: path, format)
    } else if path.hasSuffix(".png") {
      if !path.contains("%") {
        self = .picture(path: path)
      } else if let name = PictureSequenceName(path) {
        self = .frames(name)
      } else {
        throw NameError(
          message:
            "-o \(path): a name of numbered pictures has one %d, or %05d for five digits, in its last part")
      }
    } else {
      throw NameError(
        message: "-o \(path): the name ends in .mp4, .webm, .mov, .png, .csv, .jsonl or .osc")
    }
  }

  /// Whether it shows something.
  var isSeen: Bool {
    switch self {
    case .picture, .frames, .video: true
    case .levels, .score: false
    }
  }

  /// Whether it has something of every frame.
  var isWhole: Bool { if case .picture = self { false } else { true } }

  /// Whether it is a video.
  var isFilm: Bool { if case .video = self { true } else { false } }
}

/// Writes a line of results to stdout.
func printResult(_ text: String) { write(text + "\n", to: 1) }

/// Writes a line of errors or progress to stderr.
func printNote(_ text: String, _ weight: ShowStatus.Message.Weight = .warning) {
  write(LogPriority.marked(text + "\n", weight), to: 2)
}

/// Writes all bytes of a text; a reader that has gone is its own affair.
func write(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    let error = Descriptor.write(UnsafeRawBufferPointer(bytes), to: descriptor)
    if let error, descriptor == 1 { StandardFiles.failure.store(error.number, ordering: .relaxed) }
  }
}

/// stdin, stdout and stderr.
enum StandardFiles {
  /// Why results could not be written; 0: they could.
  static let failure = Atomic<Int32>(0)

  /// Those that whoever started us has closed lead nowhere: else the next file that is opened gets their number, and
  /// what is told is written into it.
  static func open() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 { _ = Glibc.open("/dev/null", O_RDWR) }
  }

  /// The end of a command that went well: unless what it printed is lost, on a full disk.
  static func close() {
    let number = failure.load(ordering: .relaxed)
    guard number != 0, number != EPIPE else { return }
    printNote("visgraph: stdout: \(String(cString: strerror(number)))")
    exit(ExitCode.failed.rawValue)
  }
}
