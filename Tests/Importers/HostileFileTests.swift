import Foundation
import Glibc
import Particles
import TestSupport
import Testing

@testable import Importers

/// Hostile or truncated files end in one clear fault.
@Suite struct HostileFileTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  @Test func `a file that is no particle file is refused as such`() throws {
    for (text, code) in [
      ("", "unknown-format"), ("   ", "unknown-format"), ("hello", "unknown-format"),
      ("<svg/>", "unknown-format"), ("<plist/>", "no-dictionary"),
      ("<plist><array/></plist>", "no-dictionary"),
      ("[1]", "unknown-format"), ("{", "broken-json"), ("{]", "broken-json"), ("bplist00", "broken-plist"),
      ("<plist><dict><key>a</key></dict></plist>", "broken-plist"),
      ("<plist><dict><real>1</real></dict></plist>", "broken-plist"),
      ("<plist><dict><key>a</key><b/></dict></plist>", "broken-plist"),
      ("<plist><dict><key>a</key><data>?</data></dict></plist>", "broken-base64"),
      ("\u{0}\u{0}", "unknown-format"), ("<a", "broken-xml"),
    ] {
      let fault = try #require(try files.fault(text), "\(text)")
      #expect(fault.code == code, "\(text): \(fault)")
      #expect(fault.message.hasPrefix(files.folder.file("sparks.plist")))
    }
  }

  @Test func `a path that is no regular file is refused at once`() throws {
    mkfifo(files.folder.file("pipe"), 0o600)
    for (path, code) in [
      (files.folder.file("pipe"), "not-a-file"), (files.folder.path, "not-a-file"),
      ("/dev/zero", "not-a-file"), (files.folder.file("gone"), "no-file"),
    ] {
      #expect(throws: ImportError.self) { try ParticleImport.read(path: path) }
      do throws(ImportError) { _ = try ParticleImport.read(path: path) } catch { #expect(error.code == code) }
    }
    let large = files.folder.file("large.plist")
    _ = try files.folder.write("", to: "large.plist")
    truncate(large, 65 << 20)
    do throws(ImportError) { _ = try ParticleImport.read(path: large) } catch {
      #expect(error.code == "file-too-large")
    }
  }

  @Test func `a file truncated anywhere is a fault, or keeps what it has`() throws {
    let png = try files.png("a.png")
    let packed = try files.python(
      "import sys,gzip,base64; print(base64.b64encode(gzip.compress(open(sys.argv[1],'rb').read())).decode())",
      png)
    let path = try files.folder.write(ParticleFiles.plist(["textureImageData": packed]), to: "whole.plist")
    let binary = files.folder.file("binary.plist")
    _ = try files.python(
      "import plistlib,sys; plistlib.dump(plistlib.load(open(sys.argv[1],'rb')), open(sys.argv[2],'wb'), "
        + "fmt=plistlib.FMT_BINARY)", path, binary)
    let wholes = [
      Array(ParticleFiles.plist(["textureImageData": packed]).utf8),
      Array(ParticleFiles.pex("<texture name=\"a.png\"/>").utf8),
      Array(try ParticleFiles.ped(["texture": packed]).utf8),
      [UInt8](try Data(contentsOf: URL(filePath: binary))),
    ]
    for whole in wholes {
      #expect(try files.fault(whole) == nil)
      let last = whole.lastIndex { $0 > 0x20 } ?? 0
      for end in stride(from: 0, to: last, by: 37) {
        #expect(try files.fault(Array(whole[..<end]))?.message.isEmpty == false, "\(end)")
      }
    }
  }

  @Test func `entities are refused, one laugh or a billion`() throws {
    var bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n<!ENTITY a \"ha\">\n"
    for (name, before) in zip("bcdefghij", "abcdefghi") {
      bomb += "<!ENTITY \(name) \"\(String(repeating: "&\(before);", count: 10))\">\n"
    }
    bomb += "]>\n<plist><dict><key>&j;</key></dict></plist>"
    let fault = try #require(try files.fault(bomb))
    #expect(fault.code == "hostile-xml")
    #expect(fault.message.contains(":3: declares entities of its own"), "\(fault.message)")
    let outside =
      "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><dict><key>a</key><string>&a;</string></dict></plist>"
    #expect(try files.fault(outside)?.code == "hostile-xml")
  }

  @Test func `deep and wide files are refused`() throws {
    let many = 200_000
    for (text, code) in [
      (String(repeating: "<a>", count: many), "hostile-xml"),
      ("<plist><dict><key>a</key>" + String(repeating: "<array>", count: many), "hostile-xml"),
      ("<particleEmitterConfig>" + String(repeating: "<a/>", count: many), "hostile-xml"),
      ("<particleEmitterConfig><a " + (0..<many).map { "a\($0)='1'" }.joined(separator: " "), "hostile-xml"),
      ("{\"a\":" + String(repeating: "[", count: many), "hostile-json"),
      ("{\"a\":" + String(repeating: "[", count: 9000), "broken-json"),
      ("{\"a\":[" + String(repeating: "1,", count: many) + "1]}", "hostile-json"),
    ] {
      #expect(try files.fault(text)?.code == code)
    }
  }

  /// A binary property list of objects, with references of one byte.
  private func binary(_ objects: [[UInt8]], count: UInt64? = nil) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    func wide(_ number: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + wide(count ?? UInt64(objects.count)) + wide(0)
      + wide(UInt64(table))
  }

  @Test func `binary lists with cycles or with repeated references are refused`() throws {
    // A dictionary whose only value is itself.
    let circle = binary([[0xD1, 1, 0], [0x51, 0x61]])
    #expect(try files.fault(circle)?.code == "unknown-format")
    // Two hundred keys that are all one long text.
    let text: [UInt8] = [0x5F, 0x11, 0x10, 0x00] + [UInt8](repeating: 0x61, count: 4096)
    let again = binary([[0xDF, 0x10, 200] + [UInt8](repeating: 1, count: 400), text])
    #expect(try files.fault(again)?.code == "hostile-plist")
    #expect(try files.fault(binary([[0xD1, 1, 9], [0x51, 0x61]]))?.code == "broken-plist")
    #expect(try files.fault(binary([[0xD1, 1, 1], [0x51, 0x61]], count: .max))?.code == "broken-plist")
    #expect(try files.fault(binary([[0xA0]]))?.code == "no-dictionary")
    let wide = binary([[0xDF, 0x13] + [UInt8](repeating: 0x7F, count: 8)])
    #expect(try files.fault(wide)?.code == "hostile-plist")
  }

  @Test func `text of a file never ends a comment or a text in the output`() throws {
    let key = "evil&#10;cells: {}&#13;&#8238;"
    let text = ParticleFiles.plist(["configName": "a\"b\\ c: #d\u{1b}[2J"]).replacing(
      "<key>angle</key>", with: "<key>\(key)</key><real>1</real><key>angle</key>"
    ).replacing("\u{1b}", with: "")
    let imported = try files.imported(text)
    let lines = imported.text(contents: nil).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("# - evil cells: {}") })
    #expect(lines.filter { $0.hasPrefix("cells:") }.count == 1)
    #expect(lines.contains("name: \"a\\\"b\\\\ c: #d[2J\""))
    let many = (0..<300).map { "<key>k\($0)</key><real>1</real>" }.joined()
    let wide = try files.imported(
      ParticleFiles.plist().replacing("<key>angle</key>", with: many + "<key>angle</key>"))
    #expect(wide.notes(of: "k0").first?.keys.last == "and 100 more")
  }
}
