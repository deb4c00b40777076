/// Why a picture cannot be read or written: what, and what is allowed. [any]
public struct PictureFault: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
  public let sentence: String

  init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}

extension PictureFault {
  static func missing(_ path: String) -> PictureFault {
    PictureFault("no-picture", "\(path): there is no such file")
  }
  static func unreadable(_ path: String, _ why: String) -> PictureFault {
    PictureFault("picture-unreadable", "\(path): cannot be read: \(why)")
  }
  static func notAFile(_ path: String) -> PictureFault {
    PictureFault("picture-unreadable", "\(path): is no file; a picture is a PNG file")
  }
  static func notPNG(_ path: String) -> PictureFault {
    PictureFault("not-a-png", "\(path): is no PNG file; pictures are read as PNG only")
  }
  static func broken(_ path: String, _ why: String) -> PictureFault {
    PictureFault("picture-broken", "\(path): is damaged or cut off (\(why)); save it once more")
  }
  static func tooLarge(_ path: String, _ width: Int, _ height: Int) -> PictureFault {
    PictureFault(
      "picture-too-large",
      "\(path): is \(width) × \(height) pixels; at most \(Picture.most) either way and \(Picture.mostInAll) in all are read"
    )
  }
  static func tooManyBytes(_ path: String, _ what: String) -> PictureFault {
    PictureFault(
      "picture-too-large", "\(path): \(what); save it once more, without what is not needed to show it")
  }
  static func exists(_ path: String) -> PictureFault {
    PictureFault(
      "picture-exists", "\(path): is there already; --force writes over it, or choose another name")
  }
  static func unwritable(_ path: String, _ why: String) -> PictureFault {
    PictureFault("picture-unwritable", "\(path): cannot be written: \(why)")
  }
  static func diskFull(_ path: String) -> PictureFault {
    PictureFault("disk-full", "\(path): the disk is full; nothing was written")
  }
}
