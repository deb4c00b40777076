import Glibc

extension HostileFiles {
  /// Files that are too large, empty, or no files.
  static var size: [HostileFile] {
    [
      HostileFile("100 MB of nodes", "file-too-large") { text in
        text.head()
        text.each(0..<3_200_000) { "  n\($0): { type: meter }  # node\n" }
      },
      HostileFile(
        "a terabyte of nothing", "file-too-large",
        making: { path in
          let file = open(path, O_WRONLY | O_CREAT, 0o644)
          ftruncate(file, 1 << 40)
          close(file)
        }),
      HostileFile("a million nodes", "file-too-large") { text in
        text.head()
        text.each(0..<1_000_000) { "  n\($0): {}\n" }
      },
      HostileFile("as many nodes as 4 MB hold", "too-long") { text in
        text.head()
        text.each(0..<300_000) { "  n\($0): {}\n" }
      },
      HostileFile("an empty file", "file-empty") { text in text.add("") },
      HostileFile("4 MB of spaces", "file-empty") { text in text.add(" ", 4_000_000) },
      HostileFile("4 MB of lines", "file-empty") { text in text.add("\n", 4_000_000) },
      HostileFile("4 MB of one word", "wrong-value") { text in text.add("a", 4_000_000) },
      HostileFile("4 MB of comment", "file-empty") { text in text.add("#a", 2_000_000) },
      HostileFile("a folder", "file-is-folder", making: { path in mkdir(path, 0o755) }),
      HostileFile(
        "a pipe that nobody writes to", "file-not-regular", making: { path in mkfifo(path, 0o644) }),
      HostileFile("a device without end", "file-not-regular", making: { path in symlink("/dev/zero", path) }),
      HostileFile("a link to itself", "file-unreadable", making: { path in symlink(path, path) }),
      HostileFile("a link to nothing", "file-not-found", making: { path in symlink("nowhere", path) }),
    ]
  }
}
