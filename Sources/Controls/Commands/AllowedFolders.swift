import Glibc
import System

/// The folders in which the network may name files. [port]
public struct AllowedFolders: Sendable {
  /// Their real paths: absolute, links followed.
  let folders: [String]

  /// Takes folders by their paths; one that does not exist allows nothing.
  public init(_ folders: [String]) { self.folders = folders.compactMap { RealPath($0)?.text } }

  /// Timeout for finding a file on its disk, in seconds: the control port waits for it.
  private static let timeout = 1.0
  private static let calls = BlockingCalls("visgraph path", most: 8)

  /// Finds the real path of a file, links followed. A relative path is looked up in `base`, then in the folders.
  ///
  /// Throws `ControlError.file` if the file does not exist or lies in none of the folders, and `.slow` after the
  /// timeout.
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

/// Makes a path absolute, for programs with another working directory. [any]
func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}
