import Glibc
import System

/// The folders in which the network may name files. [port]
public struct AllowedFolders: Sendable {
  /// Their real paths.
  let folders: [String]

  /// Folders as paths; what does not exist allows nothing.
  public init(_ folders: [String]) { self.folders = folders.compactMap { RealPath($0)?.text } }

  /// Where a file really lies that is named relative to `base`, or else to one of the folders; links followed.
  ///
  /// Throws `ControlError.file` when it is not there, or lies in none of the folders.
  public func resolve(_ path: String, from base: String) throws(ControlError) -> String {
    guard !path.isEmpty, path.utf8.count <= 4095, !path.utf8.contains(0) else { throw .file(path, .noPath) }
    let places = path.hasPrefix("/") ? [path] : ([base] + folders).map { "\($0)/\(path)" }
    guard let real = places.lazy.compactMap({ RealPath($0) }).first else { throw .file(path, .missing) }
    guard real.isWithin(folders) else { throw .file(path, .outside) }
    return real.text
  }
}

/// A path from the root, for those who do not stand where this process does. [any]
func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}
