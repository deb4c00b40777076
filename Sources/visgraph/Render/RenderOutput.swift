import ArgumentParser
import Hosts
import Rendering

/// A file that a rendering writes. The ending of its name says which kind.
enum RenderOutput {
  /// Levels of every frame.
  case levels(path: String, LevelsFile.Layout)
  /// All OSC packets.
  case score(path: String)
  /// DMX universes, at every change.
  case universes(path: String)
  case picture(path: String)
  /// A numbered picture for each frame.
  case frames(PictureSequenceName)
  case video(path: String, VideoFormat)

  /// Why a name fits no kind.
  struct NameError: Error {
    let message: String
  }

  init(_ path: String) throws(NameError) {
    if let layout = LevelsFile.layout(of: path) {
      self = .levels(path: path, layout)
    } else if path.hasSuffix(".osc") {
      self = .score(path: path)
    } else if path.hasSuffix(".ola") {
      self = .universes(path: path)
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
        message: "-o \(path): the name ends in .mp4, .webm, .mov, .png, .csv, .jsonl, .osc or .ola")
    }
  }

  /// Whether it shows pictures.
  var isSeen: Bool {
    switch self {
    case .picture, .frames, .video: true
    case .levels, .score, .universes: false
    }
  }

  /// Whether it covers every frame.
  var isWhole: Bool { if case .picture = self { false } else { true } }

  var isFilm: Bool { if case .video = self { true } else { false } }
}
