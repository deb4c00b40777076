import Foundation
import Glibc
import Particles
import Rendering
import TestSupport
import Testing

@testable import Importers

/// Textures, named and embedded.
@Suite struct TextureTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  private static let pack =
    "import sys,gzip,zlib,base64; d=open(sys.argv[1],'rb').read(); "
    + "print(base64.b64encode({'gzip':gzip.compress,'zlib':zlib.compress,'none':bytes}[sys.argv[2]](d)).decode())"

  @Test func `a texture beside the file determines the scale of sizes`() throws {
    let path = try files.png("spark.png", width: 64, height: 64)
    let imported = try files.imported(ParticleFiles.plist(["textureFileName": "spark.png"]))
    #expect(imported.texture?.picture == ParticleFiles.picture(width: 64, height: 64))
    #expect(imported.texture?.pngPath.map { FileText.lastPart(of: $0) } == FileText.lastPart(of: path))
    #expect(imported.cell.scale == 0.25)
    #expect(imported.notes.isEmpty)
    // If the named folder does not exist, the file beside the particle file is taken.
    let deep = try files.imported(ParticleFiles.plist(["textureFileName": "Resources/hd/spark.png"]))
    #expect(deep.texture?.picture == imported.texture?.picture)
    let pex = try files.imported(ParticleFiles.pex("<texture name=\"spark.png\"/>"), as: "a.pex")
    #expect(pex.cell.scale == 1)
  }

  @Test func `a texture that is not square is noted, because cocos2d would draw it square`() throws {
    _ = try files.png("wide.png", width: 16, height: 4)
    #expect(
      try files.imported(ParticleFiles.plist(["textureFileName": "wide.png"])).notes.map(\.kind)
        == [.approximated])
    #expect(
      try files.imported(ParticleFiles.pex("<texture name=\"wide.png\"/>"), as: "a.pex").notes(
        of: "startParticleSize"
      ).isEmpty)
  }

  @Test(arguments: ["gzip", "zlib", "none"])
  func `an embedded compressed PNG is unpacked unchanged`(_ packing: String) throws {
    let text = try files.python(Self.pack, files.png("a.png"), packing)
    let broken = stride(from: 0, to: text.count, by: 60).map { text.dropFirst($0).prefix(60) }
    let imported = try files.imported(
      ParticleFiles.plist([
        "textureImageData": broken.joined(separator: "\n\t"), "textureFileName": "gone.png",
      ]))
    #expect(imported.texture?.picture == ParticleFiles.picture())
    #expect(imported.texture?.pngPath == nil)
    #expect(imported.notes(of: "textureFileName").map(\.kind) == [.changed])
    #expect(imported.cell.scale == 2)
    let effect = try files.imported(ParticleFiles.ped(["texture": text]), as: "a.ped")
    #expect(effect.texture?.picture == ParticleFiles.picture())
  }

  @Test func `an embedded compressed TIFF is unpacked unchanged`() throws {
    let tiff = files.folder.file("a.tiff")
    _ = try files.run(
      "ffmpeg",
      ["-v", "error", "-i", files.png("a.png"), "-pix_fmt", "rgba", "-compression_algo", "lzw", tiff])
    let text = try files.python(Self.pack, tiff, "gzip")
    let imported = try files.imported(ParticleFiles.plist(["textureImageData": text]))
    let (was, came) = (ParticleFiles.picture(), try #require(imported.texture?.picture))
    #expect((came.width, came.height) == (8, 8))
    // libtiff premultiplies and the importer divides again: half-transparent pixels may differ by one.
    for (first, second) in zip(was.pixels, came.pixels) { #expect(abs(Int(first) - Int(second)) <= 1) }
    for index in stride(from: 3, to: 256, by: 4) { #expect(was.pixels[index] == came.pixels[index]) }
    // A TIFF beside the file is converted as well.
    let beside = try files.imported(ParticleFiles.plist(["textureFileName": "a.tiff"]))
    #expect(beside.texture?.picture == came)
    #expect(beside.texture?.pngPath == nil)
  }

  @Test func `textures outside the folder are refused`() throws {
    let outside = try TemporaryFolder()
    try ParticleFiles.picture().write(path: outside.file("a.png"), replacing: true)
    symlink(outside.file("a.png"), files.folder.file("link.png"))
    symlink(outside.path, files.folder.file("folder"))
    symlink(try files.png("inside.png"), files.folder.file("near.png"))
    for name in [outside.file("a.png"), "../a.png", "x/../../a.png", "link.png", "folder/a.png", ".."] {
      let fault = try #require(try files.fault(ParticleFiles.plist(["textureFileName": name])), "\(name)")
      #expect(fault.code == "texture-outside", "\(name): \(fault.message)")
      #expect(fault.message.contains("textureFileName"))
    }
    #expect(try files.imported(ParticleFiles.plist(["textureFileName": "near.png"])).texture != nil)
  }

  @Test func `textures that cannot be used are faults that name the key or the file`() throws {
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 0]).write(to: URL(fileURLWithPath: files.folder.file("a.jpg")))
    let png = try Data(contentsOf: URL(fileURLWithPath: try files.png("a.png")))
    try png.prefix(60).write(to: URL(fileURLWithPath: files.folder.file("short.png")))
    try png.prefix(20).write(to: URL(fileURLWithPath: files.folder.file("head.png")))
    mkfifo(files.folder.file("pipe.png"), 0o600)
    for (name, code, words) in [
      ("gone.png", "no-texture", "there is no such file beside it"),
      ("a.jpg", "unknown-texture", "a.jpg is a JPEG; visgraph reads PNG and TIFF"),
      ("short.png", "broken-texture", "short.png"), ("head.png", "broken-texture", "head.png is a PNG"),
      ("pipe.png", "not-a-file", "pipe.png"), (".", "texture-outside", "."),
    ] {
      let fault = try #require(try files.fault(ParticleFiles.plist(["textureFileName": name])), "\(name)")
      #expect(fault.code == code, "\(fault)")
      #expect(fault.message.contains(words), "\(fault)")
    }
    for (text, code) in [
      ("%%%%", "broken-base64"), ("AAAA", "unknown-texture"), ("H4sIAAAA", "broken-texture"),
      ("SUkqAAgAAAA=", "broken-texture"),
    ] {
      let fault = try #require(try files.fault(ParticleFiles.plist(["textureImageData": text])), "\(text)")
      #expect(fault.code == code, "\(fault)")
      #expect(fault.message.contains("textureImageData"))
    }
  }

  @Test func `an empty texture is noted, and the built-in light replaces it`() throws {
    for (file, text) in [
      (
        "a.plist",
        ParticleFiles.plist().replacing(
          "<dict>",
          with:
            "<dict><key>textureFileName</key><string></string><key>textureImageData</key><string> </string>")
      ),
      (
        "a.plist", ParticleFiles.plist().replacing("<dict>", with: "<dict><key>textureImageData</key><data/>")
      ),
      ("a.ped", try ParticleFiles.ped(["texture": ""])),
    ] {
      let imported = try files.imported(text, as: file)
      #expect(imported.texture == nil)
      let key = file == "a.ped" ? "texture" : "textureImageData"
      #expect(
        imported.notes(of: key).map(\.message) == ["is empty, so the built-in soft light stands in"],
        "\(imported.notes)")
    }
    // An embedded texture does not replace a missing file.
    let gone = ParticleFiles.plist(["textureFileName": "gone.png"]).replacing(
      "<dict>", with: "<dict><key>textureImageData</key><string></string>")
    #expect(try files.fault(gone)?.code == "no-texture")
  }

  @Test func `a PNG that Xcode made for devices is named as one`() throws {
    var png = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files.png("a.png"))))
    png.insert(
      contentsOf: [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0x2B, 0xD5, 0xB3, 0x7F], at: 8)
    try Data(png).write(to: URL(fileURLWithPath: files.folder.file("device.png")))
    let text = try files.python(Self.pack, files.folder.file("device.png"), "gzip")
    for changes in [["textureFileName": "device.png"], ["textureImageData": text]] {
      let fault = try #require(try files.fault(ParticleFiles.plist(changes)))
      #expect(fault.code == "unknown-texture")
      #expect(
        fault.message.contains("is a PNG in the form that Xcode gives it for devices (CgBI)"), "\(fault)")
    }
    do throws(PictureError) {
      _ = try Picture.read(path: files.folder.file("device.png"))
      Issue.record("read")
    } catch {
      #expect(error.code == "not-a-png" && error.message.contains("(CgBI)"), "\(error)")
    }
  }

  @Test func `decompression bombs are refused before they are unpacked`() throws {
    let gzip = try files.python(
      "import gzip,base64; print(base64.b64encode(gzip.compress(bytes(80<<20), 9)).decode())")
    #expect(
      try files.fault(ParticleFiles.plist(["textureImageData": gzip]))?.code == "texture-too-large")
    let png = try files.python(
      """
      import zlib,struct,base64
      def chunk(n,d): return struct.pack('>I',len(d))+n+d+struct.pack('>I',zlib.crc32(n+d))
      d=b'\\x89PNG\\r\\n\\x1a\\n'+chunk(b'IHDR',struct.pack('>IIBBBBB',100000,100000,8,6,0,0,0))
      print(base64.b64encode(d+chunk(b'IDAT',zlib.compress(bytes(1<<20)))+chunk(b'IEND',b'')).decode())
      """)
    let fault = try files.fault(ParticleFiles.plist(["textureImageData": png]))
    #expect(fault?.code == "texture-too-large")
    #expect(fault?.message.contains("100000 × 100000") == true)
    let tiff = try files.python(
      """
      import struct,base64
      tags=[(256,4,1,60000),(257,4,1,60000),(258,3,1,8),(259,3,1,1),(262,3,1,1),(273,4,1,8),(277,3,1,1),(278,4,1,60000),
        (279,4,1,4000000000)]
      d=b'II*\\0'+struct.pack('<IH',8,len(tags))+b''.join(struct.pack('<HHII',*t) for t in tags)+bytes(4)
      print(base64.b64encode(d).decode())
      """)
    #expect(try files.fault(ParticleFiles.plist(["textureImageData": tiff]))?.code == "broken-texture")
  }

  @Test func `without its texture a file is imported all the same`() throws {
    let path = try files.folder.write(ParticleFiles.plist(["textureFileName": "gone.png"]), to: "a.plist")
    let imported = try ParticleImport.read(path: path, withTexture: false)
    #expect(imported.texture == nil)
    #expect(imported.notes(of: "textureFileName").map(\.kind) == [.left])
    #expect(imported.cell.scale == 0.5)
  }
}
