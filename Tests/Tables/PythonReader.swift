import Foundation
import TestSupport

/// Reads a table by a Python program.
enum PythonReader {
  /// The rows that a program prints, as a JSON array of arrays. Its first argument is a file with these bytes.
  static func rows(of bytes: [UInt8], by program: String) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "table")
    let child = try Child(["python3", "-c", program, path])
    guard child.exitCode(within: 60) == 0 else { throw Child.Failure(description: child.notes) }
    return child.results.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }
}
