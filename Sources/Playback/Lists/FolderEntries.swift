import Glibc

/// What lies in a folder, in the order people expect: folders first, then audio files. [any]
struct FolderEntries {
  /// Names of folders.
  private(set) var folders: [String] = []
  /// Names of audio files, by their endings.
  private(set) var files: [String] = []
  /// Which of all these may be links.
  private(set) var links: Set<String> = []
  /// Names that are not UTF-8, as far as they can be told.
  private(set) var unreadable: [String] = []
  /// How many entries were looked at.
  private(set) var count = 0
  /// Whether there were more than were looked at.
  private(set) var isCut = false

  /// Looks into a folder, at no more than `most` entries. Hidden ones are left out.
  init(_ path: String, most: Int) throws(ListFault) {
    guard let folder = opendir(path) else {
      throw ListFault(.unreadable, path: path, reason: String(cString: strerror(errno)))
    }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
        }
      }.map { UInt8(bitPattern: $0) }
      guard name.first != UInt8(ascii: ".") else { continue }
      guard count < most else {
        isCut = true
        break
      }
      count += 1
      guard let text = String(validating: name, as: UTF8.self) else {
        unreadable.append(String(decoding: name, as: UTF8.self))
        continue
      }
      take(text, Int32(entry.pointee.d_type), in: dirfd(folder))
    }
    folders = Self.sorted(folders)
    files = Self.sorted(files)
    unreadable.sort()
  }

  private mutating func take(_ name: String, _ type: Int32, in folder: Int32) {
    var kind = type
    if kind != Int32(DT_DIR), kind != Int32(DT_REG) {
      // A link, or a file system that does not say: what is behind it counts.
      var status = stat()
      guard fstatat(folder, name, &status, 0) == 0 else { return }
      links.insert(name)
      kind =
        status.st_mode & S_IFMT == S_IFDIR
        ? Int32(DT_DIR) : status.st_mode & S_IFMT == S_IFREG ? Int32(DT_REG) : Int32(DT_UNKNOWN)
    }
    if kind == Int32(DT_DIR) {
      folders.append(name)
    } else if kind == Int32(DT_REG), AudioEndings.has(name) {
      files.append(name)
    }
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.map { (order: NaturalOrder($0), name: $0) }.sorted { $0.order < $1.order }.map(\.name)
  }
}
