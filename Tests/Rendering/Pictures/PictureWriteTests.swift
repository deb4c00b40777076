import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct PictureWriteTests {
  private let folder: TemporaryFolder
  private let picture = Drawing.noise(300, 200)

  init() throws { folder = try TemporaryFolder() }

  private func code(_ path: String, replacing: Bool = false) -> String? {
    do throws(PictureError) {
      try picture.write(path: path, replacing: replacing)
      return nil
    } catch {
      #expect(error.message.hasPrefix(path), "\(error)")
      return error.code
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `an existing file is overwritten only if requested`() throws {
    let path = try folder.write("precious", to: "a.png")
    #expect(code(path) == "picture-exists")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    #expect(code(path, replacing: true) == nil)
    #expect(try Picture.read(path: path) == picture)
    #expect(code(path) == "picture-exists")
    #expect(try names() == ["a.png"])
  }

  @Test func `a link stays a link, and its target is written`() throws {
    let path = try folder.write("old", to: "real.png")
    #expect(symlink("real.png", folder.file("link.png")) == 0)
    #expect(code(folder.file("link.png"), replacing: true) == nil)
    #expect(try Picture.read(path: path) == picture)
    #expect(try names() == ["link.png", "real.png"])
  }

  @Test func `a full disk is named, and leaves no file`() throws {
    #expect(code("/dev/full", replacing: true) == "disk-full")
    #expect(code("/dev/full") == "picture-exists")
  }

  @Test func `a path that cannot be written is named`() throws {
    #expect(code(folder.path, replacing: true) == "picture-unwritable")
    #expect(code(folder.file("none/a.png")) == "picture-unwritable")
    #expect(code("") == "picture-unwritable")
    #expect(code("/proc/a.png") == "picture-unwritable")
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(code(pipe, replacing: true) == "picture-unwritable")
    #expect(try names() == ["pipe"])
  }

  @Test func `an unfinished file leaves nothing`() throws {
    let path = try folder.write("old", to: "a.png")
    var target: FileTarget? = try FileTarget.open(path, replacing: true)
    let file = try #require(target?.file)
    #expect(write(file, "half", 4) == 4)
    close(file)
    target = nil
    #expect(try names() == ["a.png"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test func `of two writers at once one gets the fault that the file exists`() throws {
    let path = folder.file("a.png")
    let target = try FileTarget.open(path, replacing: false)
    close(target.file)
    #expect(code(path) == nil)
    #expect(throws: PictureError.exists(path)) { try target.keep(replacing: false) }
    #expect(try Picture.read(path: path) == picture)
    #expect(try names() == ["a.png"])
  }
}
