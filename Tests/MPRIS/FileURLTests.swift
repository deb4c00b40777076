import Testing

@testable import MPRIS

@Suite struct FileURLTests {
  @Test(arguments: [
    ("/music/song.flac", "file:///music/song.flac"),
    ("/Ä b#1?.flac", "file:///%C3%84%20b%231%3F.flac"),
    ("/100%.wav", "file:///100%25.wav"),
    ("/a-b_c~d.e", "file:///a-b_c~d.e"),
    ("/", "file:///"),
  ])
  func `a path becomes a URL, and the URL that path again`(path: String, url: String) {
    #expect(FileURL.url(of: path) == url)
    #expect(FileURL.path(of: url) == path)
  }

  @Test(arguments: ["file://localhost/a", "FILE:///a", "file:///%61", "file://LOCALHOST/%61"])
  func `URLs that are written otherwise lead to the same path`(url: String) {
    #expect(FileURL.path(of: url) == "/a")
  }

  @Test(arguments: [
    "", "/a", "http://a/b", "file:/a", "file://", "file://host/a", "file:///a%", "file:///a%4",
    "file:///a%zz",
    "file:///a%00b", "file:///%ff%fe", "file:///a?b", "file:///a#b", "file://localhosta", "ftp:///a",
    "file:///%+1",
  ])
  func `a URL that names no file of this machine has no path`(url: String) {
    #expect(FileURL.path(of: url) == nil)
  }

  @Test func `a path that is relative, has a NUL or is longer than PATH_MAX has no URL`() {
    let longest = "/" + String(repeating: "a", count: 4094)
    #expect(FileURL.path(of: "file://" + longest) == longest)
    #expect(FileURL.path(of: "file://" + longest + "a") == nil)
    #expect(FileURL.url(of: longest) != nil)
    #expect(FileURL.url(of: longest + "a") == nil)
    #expect(FileURL.url(of: "relative") == nil)
    #expect(FileURL.url(of: "/a\0b") == nil)
  }
}
