import CZlib
import Glibc
import Playback
import System

/// The files to measure, each once. [control]
struct MeasureList {
  /// A file, or an entry that names none.
  struct Item: Sendable {
    var path: String
    /// Why the entry cannot be measured; nil: it can.
    var fault: ListError?

    /// Detects changes of the file: its size and modification time.
    var state: String {
      var status = stat()
      guard stat(path.systemPath, &status) == 0 else { return "" }
      return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
  }

  /// In the order of the list; entries without a file come last.
  let items: [Item]

  /// Limits on tracks, entries and faults, far beyond those of real libraries.
  private static var limits: ListLimits {
    var limits = ListLimits()
    (limits.tracks, limits.entries, limits.faults) = (50_000_000, 1_000_000_000, 1_000_000)
    return limits
  }

  /// `paths`: files, folders with everything in them, and playlists. With a `part`, only the files of that part are
  /// kept.
  init(_ paths: [String], part: PartArgument?) {
    let (tracks, skipped) = listedTracks(of: paths, limits: Self.limits)
    var known: Set<String> = []
    let all =
      tracks.map { Item(path: $0.path) } + skipped.map { Item(path: $0.path, fault: $0) }
    let once = all.filter { known.insert($0.path).inserted }
    items = once.filter { part?.has($0.path) ?? true }
  }

  /// The paths of a list: one a line, or separated by NUL, as `find -print0` writes them.
  ///
  /// - Parameter path: of the list; `-`: standard input.
  /// - Throws: a sentence if the list cannot be read.
  static func paths(in path: String) throws(RunError) -> [String] {
    let bytes: [UInt8]
    do {
      bytes =
        path == "-"
        ? try Descriptor.readAll(from: 0, most: most, expecting: 0) ?? []
        : try RegularFile.bytes(of: path, most: most)
    } catch {
      let reason =
        switch error {
        case let error as Errno: error.text
        case RegularFile.Refusal.system(let error): error.text
        case RegularFile.Refusal.tooLarge: "it has more than \(most >> 30) GB"
        default: "it is no file"
        }
      throw RunError(description: "--files \(FileName.shown(path)): \(reason)", isOfGraph: true)
    }
    let end: UInt8 = bytes.contains(0) ? 0 : 0x0A
    return bytes.split(separator: end).compactMap { line in
      let name = end == 0x0A && line.last == 0x0D ? line.dropLast() : line
      return name.isEmpty ? nil : FileName.text(Array(name))
    }
  }

  /// The maximum size of a list, in bytes.
  private static let most = 4 << 30
}

/// Parts of lists. A file's part depends on its path alone, so a new file moves no other one to another part. [any]
extension PartArgument {
  /// Whether a file belongs to this part: by the CRC-32 of its path, modulo the number of parts.
  func has(_ path: String) -> Bool {
    let bytes = FileName.bytes(path)
    let sum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    return Int(sum) % count == number - 1
  }
}
