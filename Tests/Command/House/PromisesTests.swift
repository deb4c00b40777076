import Foundation
import Testing

/// A promise counts as long as a test holds it.
@Suite struct PromisesTests {
  /// The cells of all rows of tables on the page, without heads.
  static func rows() throws -> [[String]] {
    let page = try String(
      contentsOf: HouseTests.root.appending(path: "docs/PROMISES.md"), encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
      .filter { $0.last != "test" }
  }

  /// The sentences of the tests in each file of tests, by the file's name without its ending.
  static func sentences() throws -> [String: Set<String>] {
    let sentence = try NSRegularExpression(pattern: "func `([^`]+)`")
    var found: [String: Set<String>] = [:]
    for file in HouseTests.sources("Tests") where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      found[file.deletingPathExtension().lastPathComponent, default: []]
        .formUnion(HouseTests.groups(sentence, in: text).map { $0[0] })
    }
    return found
  }

  @Test func `every promise names an existing test`() throws {
    let sentences = try Self.sentences()
    let rows = try Self.rows()
    #expect(rows.count >= 35, "the page has \(rows.count) promises")
    for row in rows {
      let parts = try #require(row.last).split(separator: "`", omittingEmptySubsequences: false).map(
        String.init)
      let names = parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
      #expect(names.count >= 2 && names.count.isMultiple(of: 2), "\(row[0]): a suite and a sentence each")
      for pair in stride(from: 0, to: names.count - 1, by: 2) {
        let isThere = sentences[names[pair]]?.contains(names[pair + 1]) == true
        #expect(isThere, "\(row[0]): no test \(names[pair]) `\(names[pair + 1])`")
      }
    }
  }
}
