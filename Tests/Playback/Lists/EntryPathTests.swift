import System
import Testing

@testable import Playback

@Suite struct EntryPathTests {
  private func place(_ location: String, isAddress: Bool = false) -> EntryPath {
    EntryPath(location, from: "lists/", isAddress: isAddress)
  }

  @Test func `paths start from the list's folder`() {
    #expect(place("a.mp3") == .file(["lists/a.mp3"]))
    #expect(place("../b/a.mp3") == .file(["lists/../b/a.mp3"]))
    #expect(place("/a.mp3") == .file(["/a.mp3"]))
    #expect(place("Part: one.mp3") == .file(["lists/Part: one.mp3"]))
    #expect(place("b\\a.mp3") == .file(["lists/b\\a.mp3", "lists/b/a.mp3"]))
  }

  @Test func `addresses of files are paths`() {
    #expect(place("file:///a%20b.mp3") == .file(["/a b.mp3", "/a%20b.mp3"]))
    #expect(place("file://localhost/a.mp3") == .file(["/a.mp3"]))
    #expect(place("FILE:/a.mp3") == .file(["/a.mp3"]))
    #expect(place("100%25.mp3", isAddress: true) == .file(["lists/100%.mp3", "lists/100%25.mp3"]))
    #expect(place("100%25.mp3") == .file(["lists/100%25.mp3", "lists/100%.mp3"]))
    let odd = FileName.text([0xFF] + Array(".mp3".utf8))
    #expect(place("%ff.mp3", isAddress: true) == .file(["lists/\(odd)", "lists/%ff.mp3"]))
    #expect(place("a%00.mp3", isAddress: true) == .bad("its %-codes have a zero byte"))
    // What is no UTF-8 may be a name in UTF-8 that a program has written in the characters of western Windows.
    #expect(place(odd) == .file(["lists/\(odd)", "lists/ÿ.mp3"]))
    #expect(place("a\0.mp3") == .bad("it has a zero byte"))
    #expect(place("file://") == .remote)
  }

  @Test(arguments: [
    "http://a/b.mp3", "HTTPS://a/b.mp3", "smb://server/a", "file://server/share/a.mp3", "mms://x",
  ])
  func `addresses of other machines are told apart`(location: String) {
    #expect(place(location) == .remote)
  }
}
