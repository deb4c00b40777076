import Glibc
import System

extension Catalogue {
  /// The same catalogue for a graph that is checked again and again: a picture is looked at anew only when its file has
  /// changed.
  public func rememberingPictures() -> Catalogue {
    guard let check = pictureCheck else { return self }
    let memory = RememberedPictures(check)
    return Catalogue(types: types) { path, pixels in memory.look(path, &pixels) }
  }
}

/// Pictures with which all was well when they were last looked at.
private final class RememberedPictures: @unchecked Sendable {
  /// A picture with which all was well.
  private struct Look {
    var file: [Int]
    /// Its pixels, and those counted before it: with more it could be one too many.
    var pixels: Int
    var before: Int
  }

  private let check: PictureCheck
  private let lock = Lock()
  private var looks: [String: Look] = [:]

  init(_ check: @escaping PictureCheck) { self.check = check }

  func look(_ path: String, _ pixels: inout Int) -> (code: String, sentence: String)? {
    let file = Self.file(path)
    if let look = lock.withLock({ looks[path] }), let file, look.file == file, pixels <= look.before {
      pixels += look.pixels
      return nil
    }
    let before = pixels
    let fault = check(path, &pixels)
    lock.withLock {
      if fault == nil, let file {
        if looks.count >= 4 * Limits.pictures { looks.removeAll() }
        looks[path] = Look(file: file, pixels: pixels - before, before: before)
      } else {
        looks[path] = nil
      }
    }
    return fault
  }

  private static func file(_ path: String) -> [Int]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [
      Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
    ]
  }
}
