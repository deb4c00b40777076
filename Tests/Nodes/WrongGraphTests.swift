import Foundation
import Graphs
import Nodes
import Testing

/// What newcomers write, and what is said of it: `Tests/Golden/wrong/graphs.txt`.
@Suite struct WrongGraphTests {
  /// A graph and what `check` says of it.
  struct Entry: CustomTestStringConvertible {
    let name: String
    let text: String
    let said: String
    var testDescription: String { name }
  }

  static let entries: [Entry] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Golden/wrong/graphs.txt")
    let whole = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    return whole.components(separatedBy: "=== ").dropFirst().map { entry in
      let parts = entry.components(separatedBy: "--- says\n")
      let lines = parts[0].components(separatedBy: "\n")
      return Entry(
        name: lines[0], text: lines.dropFirst().joined(separator: "\n"),
        said: parts[1].trimmingCharacters(in: .newlines))
    }
  }()

  @Test func `there are as many as anybody can make`() { #expect(Self.entries.count >= 100) }

  @Test(arguments: entries)
  func `a wrong graph is told where, what and what to do`(entry: Entry) {
    let checked = Checker(Catalog(types: everyNode)).check(
      SourceText(path: "/nowhere/graph.yaml", text: entry.text))
    #expect(checked.graph == nil)
    let said = checked.faults.map { fault in
      let place = fault.mark.map { "\($0.line):\($0.column): " } ?? ""
      let notes = fault.notes.filter { !$0.hasPrefix("known are ") }.map { "\n  = \($0)" }
      return "\(place)error: \(fault.message) [\(fault.code)]\(notes.joined())"
    }
    #expect(said.joined(separator: "\n") == entry.said)
  }
}
