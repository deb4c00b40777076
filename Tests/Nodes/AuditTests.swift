import Foundation
import Testing
import TestSupport

/// The compiler's audit of blocks, compared with the blocks in the text of the sources.
@Suite struct AuditTests {
  private static let sources = projectFolder.appending(path: "Sources/Nodes")

  /// The blocks of all nodes, by name, with whether they give values or sources at the end of a frame.
  static func blocks() throws -> [String: Bool] {
    var blocks: [String: Bool] = [:]
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?:struct|class|enum|extension) (\w+): [^{]*\bBlock\b/) {
        let name = String(match.1)
        #expect(file.lastPathComponent == "\(name).swift", "\(name) is declared in \(file.lastPathComponent)")
        blocks[name] = text.contains("static var finishing")
      }
    }
    return blocks
  }

  @Test func `every block is audited, and nothing else`() throws {
    let audit = try String(contentsOf: Self.sources.appending(path: "Catalog/Audit.swift"), encoding: .utf8)
    let blocks = try Self.blocks()
    #expect(blocks.count >= 9)
    #expect(Set(audit.matches(of: /runBlock\((\w+)\.self/).map { String($0.1) }) == Set(blocks.keys))
    #expect(
      Set(audit.matches(of: /finishBlock\((\w+)\.self/).map { String($0.1) })
        == Set(blocks.filter(\.value).keys))
  }

  @Test func `the frame halves of every block carry the attribute`() throws {
    for name in try Self.blocks().keys {
      let files = try #require(
        FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.lastPathComponent == "\(name).swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        let makeParts = text.matches(of: /mutating func (?:process|finish)\(/).count
        #expect(
          text.matches(of: /@_noLocks\s+(?:private )?mutating func (?:process|finish)\(/).count == makeParts)
      }
    }
  }
}
