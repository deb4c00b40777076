import ArgumentParser
import Glibc
import Synchronization
import System

extension ExitCode {
  /// Failed while running.
  static let failed = ExitCode(1)
  /// Fault in the graph or its files.
  static let faulty = ExitCode(2)
}

/// What a command prints for other programs.
enum StandardOutput {
  /// Why results could not be written; 0: they could.
  fileprivate static let failure = Atomic<Int32>(0)

  /// The end of a command that went well: unless what it printed is lost, on a full disk.
  static func close() {
    let number = failure.load(ordering: .relaxed)
    guard number != 0, number != EPIPE else { return }
    printNote("visgraph: stdout: \(String(cString: strerror(number)))")
    exit(ExitCode.failed.rawValue)
  }
}

/// Writes a line of results to stdout.
func printResult(_ text: String) { write(text + "\n", to: 1) }

/// Writes a line of errors or progress to stderr.
func printNote(_ text: String, _ weight: LogLine.Weight = .warning) {
  write(LogPriority.marked(text + "\n", weight), to: 2)
}

/// Writes all bytes of a text; a reader that has gone is its own affair.
func write(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    let error = Descriptor.write(UnsafeRawBufferPointer(bytes), to: descriptor)
    if let error, descriptor == 1 { StandardOutput.failure.store(error.number, ordering: .relaxed) }
  }
}
