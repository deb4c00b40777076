extension Picture {
  /// The most pixels across or down that are read.
  public static let most = 8192

  /// Reads a PNG. Throws when it is missing, broken, or larger than `most` either way.
  public static func read(path: String) throws(PictureFault) -> Picture {
    throw PictureFault("no-picture", "\(path): not yet")
  }

  /// Width and height by the header alone. Throws as `read` does.
  public static func size(path: String) throws(PictureFault) -> (width: Int, height: Int) {
    let picture = try read(path: path)
    return (picture.width, picture.height)
  }

  /// Writes a PNG; a file that exists is only written over when `replacing`.
  public func write(path: String, replacing: Bool) throws(PictureFault) {}
}
