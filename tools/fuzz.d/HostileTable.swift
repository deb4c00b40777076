import Glibc

/// Runs the command with every hostile file, and prints its time, its memory and its output.
struct HostileTable {
  let program: String
  let folder: String

  /// The limits for every file.
  private static let seconds = 1.0
  private static let memory = 256 << 20

  /// Prints the table. Returns whether every file ended in its error within the limits.
  func print() -> Bool {
    var isWell = true
    say(
      "| hostile file | error | errors shown | wall | of that without a processor | processor | memory | |\n|---|---|---|---|---|---|---|---|"
    )
    for (number, file) in HostileFiles.all.enumerated() {
      let path = "\(folder)/hostile-\(number).yaml"
      remove(path)
      file.make(path)
      let line = row(file, path)
      say(line.text)
      isWell = isWell && line.isWell
      remove(path)
    }
    return isWell
  }

  private func row(_ file: HostileFile, _ path: String) -> (text: String, isWell: Bool) {
    let output = "\(folder)/hostile-output"
    var best: (wall: Double, end: Child.End)?
    // On a busy machine only the time without waiting for a processor counts, the best of three.
    for _ in 0..<3 where best.map({ $0.wall - $0.end.waiting > Self.seconds }) ?? true {
      let began = nanoseconds(CLOCK_MONOTONIC)
      guard let child = Child([program, "check", path], output: output), let end = child.end(within: 30)
      else {
        return ("| \(file.name) | hangs | | | | | | WRONG |", false)
      }
      let wall = Double(nanoseconds(CLOCK_MONOTONIC) - began) / 1e9
      if wall - end.waiting < best.map({ $0.wall - $0.end.waiting }) ?? .infinity { best = (wall, end) }
    }
    guard let (wall, end) = best else { return ("| \(file.name) | did not start | | | | | | WRONG |", false) }
    let errors = lines(of: output).filter { $0.contains(": error: ") && $0.hasSuffix("]") }
    let codes = errors.compactMap { $0.split(separator: "[").last.map { String($0.dropLast()) } }
    var wrongs: [String] = []
    if end.code != 2 { wrongs.append(end.words) }
    if !codes.contains(file.code) { wrongs.append("\(file.code) expected") }
    if !file.isManifold, errors.count != 1 { wrongs.append("one error expected") }
    if errors.count > 101 { wrongs.append("too many errors") }
    if wall - end.waiting > Self.seconds { wrongs.append("slow") }
    if end.memory > Self.memory { wrongs.append("large") }
    let shown = wrongs.isEmpty ? "" : "WRONG: " + wrongs.joined(separator: ", ")
    return (
      "| \(file.name) | \(codes.first ?? "none") | \(errors.count) | \(milliseconds(wall)) | "
        + "\(milliseconds(end.waiting)) | "
        + "\(milliseconds(end.processor)) | \(end.memory >> 20) MB | \(shown) |", wrongs.isEmpty
    )
  }

  private func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded(.up))) ms" }
}
