import System

/// Which program this is.
enum ProgramVersion {
  /// Its number.
  static let number = "0.1.0"

  /// What `--version` prints: the number, and the commit of a program that is installed.
  static var text: String { "\(number) (commit \(installedCommit ?? "unknown"))" }

  /// The commit that the program was built from, as tools/install writes it into `share/visgraph/commit` beside the
  /// program's `bin`: nothing is compiled or linked for it. nil where no such file is, or it holds anything else.
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
