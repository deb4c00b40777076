import ArgumentParser
import Hosts
import Rendering

/// What a rendering writes, by the ending of its name.
enum RenderOutput {
  /// Levels of every frame.
  case levels(path: String, LevelsFile.Layout)
  /// Every packet.
  case score(path: String)
  /// The universes of DMX wherever they change.
  case universes(path: String)
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

  /// Whether it shows something.
  var isSeen: Bool {
    switch self {
    case .picture, .frames, .video: true
    case .levels, .score, .universes: false
    }
  }

  /// Whether it has something of every frame.
  var isWhole: Bool { if case .picture = self { false } else { true } }

  /// Whether it is a video.
  var isFilm: Bool { if case .video = self { true } else { false } }
}
