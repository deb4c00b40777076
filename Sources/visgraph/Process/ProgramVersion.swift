import System

enum ProgramVersion {
  static let number = "0.1.0"

  /// The output of `--version`: the version, and the commit of an installed program.
  static var text: String { "\(number) (commit \(installedCommit ?? "unknown"))" }

  /// The commit of the program, from `share/visgraph/commit` beside its `bin`; tools/install writes that file, so that
  /// a new commit needs no new build. Nil where the file is missing or invalid.
  private static var installedCommit: String? {
    guard let program = RealPath("/proc/self/exe")?.text, program.hasSuffix("/bin/visgraph"),
      let bytes = try? RegularFile.bytes(
        of: program.dropLast("bin/visgraph".count) + "share/visgraph/commit", most: 64)
    else { return nil }
    let commit = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
    let isCommit = commit.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return isCommit && !commit.isEmpty ? String(commit) : nil
  }
}
