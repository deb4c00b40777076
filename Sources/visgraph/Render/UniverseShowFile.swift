import Engine
import Glibc
import System

/// DMX universes as a text file that OLA records, verifies and plays. Its first line is `OLA Show`. A line follows for
/// each change of a universe, and between two changes a line with the time between them, in ms. [frame]
final class UniverseShowFile: @unchecked Sendable {
  struct WriteError: Error, CustomStringConvertible {
    let path: String
    let number: Int32
    var description: String { "\(path): \(String(cString: strerror(number)))" }
  }

  private static let blockSize = 65_536
  private let path: String
  private let descriptor: Int32
  /// Text that is not written yet.
  private var text: [UInt8] = Array("OLA Show\n".utf8)
  /// The `errno` of the first failure to write or to close; 0: none.
  private var failure: Int32 = 0
  private var isOpen = true
  /// The time of the last change on the timeline, in ms; nil before the first.
  private var last: Int?
  /// The universes that have changed.
  private var universes: Set<Int> = []
  /// Changes written so far.
  private(set) var frames = 0
  /// The number of universes that changed.
  var width: Int { universes.count }
  var hasFailed: Bool { failure != 0 }

  /// Opens a file; without `replacing`, an existing file is an error. [control]
  init(path: String, replacing: Bool) throws(WriteError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL), 0o644)
    guard descriptor >= 0 else { throw WriteError(path: path, number: errno) }
  }

  deinit { end() }

  /// An observer that passes changes to the files; nil where there are none. [control]
  static func observer(_ files: [UniverseShowFile]) -> UniverseObserver? {
    if files.isEmpty { return nil }
    return { universe, slots, seconds in
      for file in files { file.add(universe, slots, at: seconds) }
    }
  }

  /// Writes the new slots of a universe.
  private func add(_ universe: Int, _ slots: UnsafeBufferPointer<UInt8>, at seconds: Double) {
    guard !hasFailed else { return }
    wait(until: seconds)
    text += Array("\(universe) ".utf8)
    for (index, slot) in slots.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += Self.digits[Int(slot)]
    }
    text.append(UInt8(ascii: "\n"))
    frames += 1
    universes.insert(universe)
    if text.count >= Self.blockSize { flush() }
  }

  /// Writes the time since the last change, in ms; nothing before the first.
  private func wait(until seconds: Double) {
    // Rounding the absolute time keeps the error at 0.5 ms, however long the show is.
    let now = Int((seconds * 1000).rounded())
    if let last { text += Array("\(max(0, now - last))\n".utf8) }
    last = max(now, last ?? now)
  }

  private static let digits = (UInt8.min...UInt8.max).map { Array("\($0)".utf8) }

  private func flush() {
    if !hasFailed, let error = Descriptor.write(text, to: descriptor) { failure = error.number }
    text.removeAll(keepingCapacity: true)
  }

  /// Writes the time from the last change to `seconds`, then all that is buffered, and closes the file. Call it once,
  /// after the last change. [control]
  func finish(at seconds: Double) throws(WriteError) {
    if last != nil { wait(until: seconds) }
    flush()
    end()
    if hasFailed { throw WriteError(path: path, number: failure) }
  }

  private func end() {
    guard isOpen else { return }
    isOpen = false
    // Some file systems report a full disk only on close.
    if close(descriptor) != 0, !hasFailed { failure = errno }
  }
}
