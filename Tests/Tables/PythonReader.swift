import Foundation
import TestSupport

/// A table as a program in Python reads it.
enum PythonReader {
  /// The rows by a program whose first argument is a file with these bytes; it prints a JSON array of arrays.
  static func rows(of bytes: [UInt8], by program: String) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "table")
    let child = try Child(["python3", "-c", program, path])
    guard child.exitCode(within: 60) == 0 else { throw Child.Failure(description: child.notes) }
    return child.results.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }
}
