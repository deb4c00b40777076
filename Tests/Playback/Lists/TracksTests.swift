import Foundation
import Glibc
import System
import Testing

@testable import Playback

@Suite struct TracksTests {
  private let folder = Folder()

  private func make(_ names: String...) {
    for name in names {
      let parent = (folder[name] as NSString).deletingLastPathComponent
      try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      folder.write([1], name)
    }
  }

  private func text(_ text: String, _ name: String) -> String { folder.write(Array(text.utf8), name) }

  /// The tracks found, without the folder's own path.
  private func found(_ paths: [String], _ limits: ListLimits = ListLimits()) -> (
    paths: [String], faults: [String]
  ) {
    let result = listedTracks(of: paths, limits: limits)
    func short(_ text: String) -> String { text.replacingOccurrences(of: folder.path + "/", with: "") }
    return (result.tracks.map { short($0.path) }, result.skipped.map { short($0.message) })
  }

  @Test func `a folder gives its folders, then its files, in natural order`() {
    make(
      "10 b.mp3", "2 a.FLAC", "cover.jpg", ".hidden.mp3", ".git/x.mp3", "CD 10/1.wav", "CD 2/2.ogg",
      "CD 2/1.opus",
      "notes.txt", "list.m3u")
    #expect(
      found([folder.path]).paths == ["CD 2/1.opus", "CD 2/2.ogg", "CD 10/1.wav", "2 a.FLAC", "10 b.mp3"])
    #expect(found([folder.path + "/"]).paths.count == 5)
    #expect(found([folder.path]).faults == [])
  }

  @Test func `files named by themselves are taken with any extension, in the given order`() {
    make("z.bin", "a.mp3", "noending")
    #expect(
      found([folder["z.bin"], folder["a.mp3"], folder["noending"], folder["z.bin"]]).paths == [
        "z.bin", "a.mp3", "noending", "z.bin",
      ])
  }

  @Test func `a missing path, an empty folder and a path that is no file are reported`() {
    mkdir(folder["empty"], 0o700)
    mkfifo(folder["pipe"], 0o600)
    #expect(
      found([folder["no.mp3"], folder["empty"], folder["pipe"], ""]).faults == [
        "there is no file or folder 'no.mp3': check the spelling",
        "'empty' has no audio files: name a folder with music in it, or the files themselves",
        "'pipe' is a device or a pipe, not an audio file: name a regular file",
        "'' cannot be the name of a file (it is empty): rename the file in UTF-8, or mend the list",
      ])
  }

  @Test func `links are followed, and those that lead back are not followed twice`() {
    make("a/1.mp3", "b/2.mp3")
    symlink("..", folder["a/up"])
    symlink("../b", folder["a/other"])
    symlink("nowhere", folder["a/broken.mp3"])
    symlink("../b/2.mp3", folder["a/3.mp3"])
    #expect(found([folder["a"]]).paths == ["a/other/2.mp3", "a/1.mp3", "a/3.mp3"])
    #expect(found([folder["a"]]).faults == [])
  }

  @Test func `with allowed folders no link in a folder leads out of them, and entries of a list are taken`()
    throws
  {
    make("show/a/1.mp3", "show/b/2.mp3", "show-b/3.mp3", "show-b/deep/4.mp3")
    symlink("../../show-b", folder["show/a/out"])
    symlink("../../show-b/3.mp3", folder["show/a/3.mp3"])
    symlink("../b", folder["show/a/other"])
    symlink("../b/2.mp3", folder["show/a/5.mp3"])
    let real = try #require(realpath(folder["show"], nil).map { String(cString: $0) })
    let kept = listedTracks(of: [folder["show/a"]], within: [real])
    #expect(kept.tracks.map(\.path) == ["other/2.mp3", "1.mp3", "5.mp3"].map { folder["show/a/\($0)"] })
    #expect(kept.skipped.map(\.path) == [folder["show/a/out"], folder["show/a/3.mp3"]])
    #expect(kept.skipped.allSatisfy { $0.code == .outside })
    #expect(listedTracks(of: [folder["show/a"]]).tracks.count == 6)
    #expect(listedTracks(of: [folder["show/a"]], within: ["/"]).tracks.count == 6)
    let list = text("show-b/3.mp3\n", "list.m3u")
    #expect(listedTracks(of: [list], within: [real]).tracks.map(\.path) == [folder["show-b/3.mp3"]])
  }

  @Test func `folders too deep and tracks too many are reported, and the rest is kept`() {
    make("1.mp3", "2.mp3", "3.mp3", "d/e/f/4.mp3")
    var limits = ListLimits()
    limits.depth = 2
    #expect(found([folder.path], limits).paths == ["1.mp3", "2.mp3", "3.mp3"])
    #expect(
      found([folder.path], limits).faults == [
        "'d/e' lies too deep (at most 2 folders inside each other): name the folder or the list itself"
      ])
    limits = ListLimits()
    limits.tracks = 2
    #expect(found([folder.path], limits).paths == ["d/e/f/4.mp3", "1.mp3"])
    #expect(found([folder.path], limits).faults.count == 1)
    limits = ListLimits()
    limits.entries = 3
    #expect(found([folder.path], limits).faults.count == 1)
  }

  @Test func `names that are no valid text are taken, marked, and lead to their files`() throws {
    let name: [CChar] = Array((folder.path + "/").utf8CString.dropLast()) + [0x61, CChar(bitPattern: 0xFF)]
    let path = name + [0x2E, 0x6D, 0x70, 0x33, 0]
    let file = path.withUnsafeBufferPointer { creat($0.baseAddress!, 0o600) }
    close(file)
    let (tracks, skipped) = listedTracks(of: [folder.path])
    #expect(skipped.isEmpty && tracks.map(\.name) == ["a\\xFF"])
    let one = try #require(tracks.first)
    #expect(
      Array(one.path.utf8.suffix(8)) != []
        && FileName.bytes(one.path).suffix(5) == [0xFF] + Array(".mp3".utf8))
    // It has no bytes, which shows that it was found.
    #expect(refusal(of: one.path)?.code == .empty)
    #expect(refusal(of: one.path)?.message.contains("a\\xFF.mp3") == true)
  }

  @Test func `a list gives its entries, and reports its faulty lines`() {
    make("l/a b.mp3", "l/c.mp3", "d/1.mp3", "d/2.mp3")
    let list = text(
      """
      #EXTM3U
      #EXTINF:5,Named
      a%20b.mp3
      gone.mp3
      http://example.org/x.mp3
      c.mp3
      ..\\d
      """, "l/list.m3u")
    let result = listedTracks(of: [list])
    #expect(result.tracks.first == Track(folder["l/a b.mp3"], title: "Named", length: 5))
    #expect(found([list]).paths == ["l/a b.mp3", "l/c.mp3", "l/../d/1.mp3", "l/../d/2.mp3"])
    #expect(
      found([list]).faults == [
        "l/list.m3u:4: there is no file or folder 'l/gone.mp3': "
          + "check the list; a path is relative to the folder of the list",
        "l/list.m3u:5: 'http://example.org/x.mp3' lies in a network: only files are played; download it first",
      ])
  }

  @Test func `a list is recognized by its content`() {
    make("a.mp3")
    #expect(found([text("\u{FEFF}#EXTM3U\na.mp3\n", "one")]).paths == ["a.mp3"])
    #expect(found([text("[Playlist]\nFile1=a.mp3\n", "two.txt")]).paths == ["a.mp3"])
    let xspf = "<?xml version='1.0'?>\n<playlist xmlns='http://xspf.org/ns/0/'><trackList><track>"
    #expect(
      found([text(xspf + "<location>a.mp3</location></track></trackList></playlist>", "three")]).paths == [
        "a.mp3"
      ])
    #expect(found([text("RIFF", "four")]).paths == ["four"])
  }

  @Test func `nested lists are read once, and only to a limited depth`() {
    make("a.mp3")
    let one = text("two.m3u\na.mp3\n", "one.m3u")
    _ = text("a.mp3\none.m3u\n", "two.m3u")
    #expect(found([one]).paths == ["a.mp3", "a.mp3"])
    #expect(
      found([one]).faults == ["two.m3u:2: 'one.m3u' is a list that comes back to itself: it is played once"])
    for depth in 0..<10 { _ = text("\(depth + 1).m3u\na.mp3\n", "\(depth).m3u") }
    #expect(found([folder["0.m3u"]]).paths.count == 8)
    #expect(found([folder["0.m3u"]]).faults.count == 1)
  }

  @Test func `lists that multiply end at the limit`() {
    for depth in 0..<7 {
      _ = text(String(repeating: "\(depth + 1).m3u\n", count: 100), "\(depth).m3u")
    }
    _ = text("#EXTM3U\n", "7.m3u")
    var limits = ListLimits()
    limits.entries = 5000
    limits.faults = 10
    let result = listedTracks(of: [folder["0.m3u"]], limits: limits)
    #expect(result.tracks.isEmpty)
    #expect(result.skipped.count == 11)
    #expect(result.skipped.last?.code == .more)
  }

  @Test func `an empty list and one that is too large are reported`() {
    #expect(found([text("#EXTM3U\n", "e.m3u")]).faults.count == 1)
    var limits = ListLimits()
    limits.bytes = 10
    #expect(
      found([text("aaaaaaaaaaaaaaaaaaaaaa", "big.m3u")], limits).faults == [
        "'big.m3u' is too large (at most 10 bytes): divide the list"
      ])
  }

  @Test func `a track is called by its title, or by its file`() {
    #expect(Track("a/b.c.mp3").name == "b.c")
    #expect(Track("a/b", title: "T").name == "T")
    #expect(Track(".x").name == ".x")
  }
}
