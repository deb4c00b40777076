import System
import Testing

@testable import Playback

@Suite struct EntryPathTests {
  private func place(_ location: String, isAddress: Bool = false) -> EntryPath {
    EntryPath(location, from: "lists/", isAddress: isAddress)
  }

  @Test func `paths are relative to the list's folder`() {
    #expect(place("a.mp3") == .file(["lists/a.mp3"]))
    #expect(place("../b/a.mp3") == .file(["lists/../b/a.mp3"]))
    #expect(place("/a.mp3") == .file(["/a.mp3"]))
    #expect(place("Part: one.mp3") == .file(["lists/Part: one.mp3"]))
    #expect(place("b\\a.mp3") == .file(["lists/b\\a.mp3", "lists/b/a.mp3"]))
  }

  @Test func `URLs of files are paths`() {
    #expect(place("file:///a%20b.mp3") == .file(["/a b.mp3", "/a%20b.mp3"]))
    #expect(place("file://localhost/a.mp3") == .file(["/a.mp3"]))
    #expect(place("FILE:/a.mp3") == .file(["/a.mp3"]))
    #expect(place("100%25.mp3", isAddress: true) == .file(["lists/100%.mp3", "lists/100%25.mp3"]))
    #expect(place("100%25.mp3") == .file(["lists/100%25.mp3", "lists/100%.mp3"]))
    let odd = FileName.text([0xFF] + Array(".mp3".utf8))
    #expect(place("%ff.mp3", isAddress: true) == .file(["lists/\(odd)", "lists/%ff.mp3"]))
    #expect(place("a%00.mp3", isAddress: true) == .bad("its %-codes have a zero byte"))
    // Bytes that are no UTF-8 may be a UTF-8 name written in the characters of Windows-1252.
    #expect(place(odd) == .file(["lists/\(odd)", "lists/ÿ.mp3"]))
    #expect(place("a\0.mp3") == .bad("it has a zero byte"))
    #expect(place("file://") == .remote)
  }

  @Test func `a name in an old character set is read below folders with many Latin letters`() {
    // A name in Windows-1251.
    let name = FileName.text(
      Array("/music/of mine/Collected/Records/".utf8) + [
        0xCF, 0xE0, 0xF7, 0xEA, 0xE0, 0x20, 0xF1, 0xE8, 0xE3, 0xE0, 0xF0, 0xE5, 0xF2,
      ] + Array(".mp3".utf8))
    guard case .file(let places) = place(name) else {
      Issue.record("no file")
      return
    }
    #expect(places.contains("/music/of mine/Collected/Records/Пачка сигарет.mp3"))
  }

  @Test(arguments: [
    "http://a/b.mp3", "HTTPS://a/b.mp3", "smb://server/a", "file://server/share/a.mp3", "mms://x",
  ])
  func `URLs of other machines are recognized`(location: String) {
    #expect(place(location) == .remote)
  }
}
