import Glibc
import System

/// The folders in which the network may name files. [port]
public struct AllowedFolders: Sendable {
  /// Their real paths.
  let folders: [String]

  /// Folders as paths; what does not exist allows nothing.
  public init(_ folders: [String]) { self.folders = folders.compactMap { RealPath($0)?.text } }

  /// How long a disk is asked where a file lies, in seconds: the port waits for it.
  private static let timeout = 1.0
  private static let calls = BlockingCalls("visgraph path", most: 8)

  /// Where a file really lies that is named relative to `base`, or else to one of the folders; links followed.
  ///
  /// Throws `ControlError.file` when it is not there, or lies in none of the folders, and `.slow` when its disk does not
  /// answer.
  public func resolve(_ path: String, from base: String) throws(ControlError) -> String {
    guard !path.isEmpty, path.utf8.count <= 4095, !path.utf8.contains(0) else { throw .file(path, .noPath) }
    let places = path.hasPrefix("/") ? [path] : ([base] + folders).map { "\($0)/\(path)" }
    let call = Self.calls.start { places.lazy.compactMap({ RealPath($0) }).first }
    guard let answer = call?.wait(until: .after(seconds: Self.timeout)) else { throw .slow(Self.timeout) }
    guard let real = answer else { throw .file(path, .missing) }
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
