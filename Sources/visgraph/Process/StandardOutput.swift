import ArgumentParser
import Glibc
import Synchronization
import System

extension ExitCode {
  /// The run failed.
  static let failed = ExitCode(1)
  /// The graph or its files have a fault.
  static let faulty = ExitCode(2)
}

/// The results of a subcommand.
enum StandardOutput {
  /// The error number of a failed write to stdout; 0: none.
  fileprivate static let failure = Atomic<Int32>(0)

  /// Ends a subcommand that succeeded; exits with 1 if its output was lost, for instance on a full disk.
  static func close() {
    let number = failure.load(ordering: .relaxed)
    guard number != 0, number != EPIPE else { return }
    printNote("visgraph: stdout: \(String(cString: strerror(number)))")
    exit(ExitCode.failed.rawValue)
  }
}

func printResult(_ text: String) { write(text + "\n", to: 1) }

/// Writes a line to stderr.
func printNote(_ text: String, _ weight: LogLine.Weight = .warning) {
  write(LogPriority.marked(text + "\n", weight), to: 2)
}

/// Writes all bytes of a text. A closed pipe is no error.
func write(_ text: String, to descriptor: Int32) {
  if let output = CommandContext.current.output { return output(text, descriptor) }
  var text = text
  text.withUTF8 { bytes in
    let error = Descriptor.write(UnsafeRawBufferPointer(bytes), to: descriptor)
    if let error, descriptor == 1 { StandardOutput.failure.store(error.number, ordering: .relaxed) }
  }
}
