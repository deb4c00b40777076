import CPng
import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct PictureReadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ bytes: [UInt8], _ name: String = "a.png") throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    return folder.file(name)
  }

  private func bytes(of picture: Picture) throws -> [UInt8] {
    let path = folder.file("whole.png")
    try picture.write(path: path, replacing: true)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func code(_ path: String) -> String? {
    do throws(PictureError) {
      _ = try Picture.read(path: path)
      return nil
    } catch {
      #expect(error.message.hasPrefix(path), "\(error)")
      return error.code
    }
  }

  @Test func `a written picture is read again, with and without alpha`() throws {
    for picture in [
      Drawing.noise(31, 17), Drawing.picture(5, 9) { x, y in [9, 99, 200, UInt8(x * 50 + y)] },
    ] {
      let path = try file(bytes(of: picture))
      #expect(try Picture.read(path: path) == picture)
      #expect(try Picture.size(path: path) == (picture.width, picture.height))
    }
  }

  @Test func `a missing file, a folder, a device and a pipe are distinguished from pictures`() throws {
    #expect(code(folder.file("none.png")) == "no-picture")
    #expect(code(folder.path + "/none/none.png") == "no-picture")
    #expect(code(folder.path) == "picture-unreadable")
    #expect(code("/dev/zero") == "picture-unreadable")
    let pipe = folder.file("pipe.png")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(code(pipe) == "picture-unreadable")
    #expect(code(try file(Array("GIF89a and more than thirty-three bytes of it".utf8))) == "not-a-png")
    #expect(code(try file([])) == "not-a-png")
  }

  @Test func `a file truncated anywhere is a fault or still the picture`() throws {
    for picture in [Drawing.noise(9, 7), Drawing.picture(9, 7) { x, y in [1, 2, UInt8(x), UInt8(y)] }] {
      let whole = try bytes(of: picture)
      for count in 0..<whole.count {
        let path = try file(Array(whole.prefix(count)))
        // The last chunk (12 bytes) only marks the end; the picture may be complete without it.
        if count < whole.count - 20 {
          #expect(["not-a-png", "picture-broken"].contains(code(path)), "\(count)")
        } else if let read = try? Picture.read(path: path) {
          #expect(read == picture)
        }
      }
    }
  }

  @Test func `a file with any byte changed does no harm`() throws {
    let whole = try bytes(of: Drawing.noise(9, 7))
    for place in whole.indices {
      for change: UInt8 in [1, 0x80, 0xff] {
        var changed = whole
        changed[place] ^= change
        let path = try file(changed)
        if let read = try? Picture.read(path: path) {
          #expect(read.pixels.count == read.width * read.height * 4)
        }
        if place < 8 { #expect(code(path) == "not-a-png") }
      }
    }
  }

  @Test func `a size above the limit is refused by the header alone`() throws {
    var whole = try bytes(of: Drawing.noise(9, 7))
    for (width, height) in [(8193, 1), (1, 8193), (0x7fff_ffff, 0x7fff_ffff), (0xffff_ffff, 1), (8192, 4097)]
    {
      whole.replaceSubrange(16..<20, with: withUnsafeBytes(of: UInt32(width).bigEndian) { Array($0) })
      whole.replaceSubrange(20..<24, with: withUnsafeBytes(of: UInt32(height).bigEndian) { Array($0) })
      let path = try file(whole)
      #expect(code(path) == "picture-too-large")
      #expect(throws: PictureError.self) { try Picture.size(path: path) }
    }
    // An allowed size, but more than so few bytes can hold.
    whole.replaceSubrange(16..<24, with: [0, 0, 0x20, 0, 0, 0, 0x10, 0])
    #expect(code(try file(whole)) == "picture-broken")
    whole.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 0, 9])
    #expect(code(try file(whole)) == "picture-broken")
  }

  @Test func `gray is read as red, green, blue and alpha`() throws {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    (image.width, image.height) = (2, 1)
    image.format = 0  // gray, eight bits
    let path = folder.file("grey.png")
    #expect(png_image_write_to_file(&image, path, 0, [UInt8(10), 200], 0, nil) != 0)
    #expect(try Picture.read(path: path).pixels == [10, 10, 10, 255, 200, 200, 200, 255])
  }
}
