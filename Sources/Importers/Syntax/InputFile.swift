import Glibc
import System

/// Reads whole files that are regular and not too large. [control]
enum InputFile {
  /// The most bytes of a file.
  static let most = 64 << 20

  /// The bytes of a file. Throws when it is missing, not a regular file, too large, or cannot be read.
  static func bytes(of path: String, called name: String) throws(ImportError) -> [UInt8] {
    do throws(RegularFile.Refusal) {
      return try RegularFile.bytes(of: path, most: most)
    } catch {
      switch error {
      case .system(Errno(ENOENT)): throw ImportError("no-file", "\(name): there is no such file")
      case .system(let error): throw ImportError("unreadable-file", "\(name): \(error.text)")
      case .folder, .notRegular:
        throw ImportError("not-a-file", "\(name): is a folder, a pipe or a device; a regular file is needed")
      case .tooLarge: throw ImportError("file-too-large", "\(name): has more than \(most >> 20) MB")
      }
    }
  }
}
