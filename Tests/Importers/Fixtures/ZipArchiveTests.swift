import Testing

@testable import Importers

/// Zip archives of any program.
@Suite struct ZipArchiveTests {
  private let files: ZipFiles
  init() throws { files = try ZipFiles() }

  private func code(_ bytes: [UInt8], _ name: String = "a") -> String? {
    do throws(ImportError) {
      var archive = try ZipArchive(bytes, called: "z")
      _ = try archive.bytes(of: name)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(arguments: [true, false]) func `entries are read, compressed or stored`(isPacked: Bool) throws {
    let bytes = try files.archive(
      [("a", "first"), ("b/c", String(repeating: "x", count: 9999))], isPacked: isPacked)
    var archive = try ZipArchive(bytes, called: "z")
    #expect(archive.names == ["a", "b/c"])
    #expect(try archive.bytes(of: "a") == Array("first".utf8))
    #expect(try archive.bytes(of: "b/c").count == 9999)
    #expect(code(bytes, "d") == "no-entry")
  }

  @Test func `a broken or excessive archive ends in a sentence`() throws {
    let good = try files.archive([("a", String(repeating: "first and ", count: 99))])
    #expect(code(good) == nil && code([]) == "broken-zip" && code(Array(good.dropLast(9))) == "broken-zip")
    let directory = try #require(good.indices.first { good[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    func changed(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
      var copy = good
      copy.replaceSubrange(place..<(place + bytes.count), with: bytes)
      return copy
    }
    #expect(code(changed(directory + 24, [255, 255, 255, 127])) == "hostile-zip")
    #expect(code(changed(directory + 20, [255, 255, 0, 0])) == "broken-zip")
    #expect(code(changed(directory + 16, [1, 2, 3, 4])) == "broken-zip")
    #expect(code(changed(directory + 10, [12, 0])) == "unknown-zip")
    #expect(code(changed(directory + 8, [1, 0])) == "unknown-zip")
    #expect(code(changed(directory + 42, [255, 255, 255, 0])) == "broken-zip")
    #expect(code(changed(directory + 28, [255, 255])) == "broken-zip")
    #expect(code(changed(good.count - 12, [255, 255])) == "hostile-zip")
    // An entry that states less than it unpacks to.
    #expect(code(changed(directory + 24, [10, 0, 0, 0])) == "broken-zip")
  }
}
