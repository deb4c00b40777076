import Foundation
import Glibc
import TestSupport
import Testing

@testable import Playback

/// Tags of files, read on a thread of their own.
@Suite struct TagReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file with tags, made by ffmpeg.
  private func song(_ name: String, _ title: String, artist: String = "Some One") throws -> String {
    let path = folder.file(name)
    try run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=0.05", "-metadata", "title=\(title)",
        "-metadata",
        "artist=\(artist)", "-metadata", "album=The Album", path,
      ])
    return path
  }

  /// The tags found until there are `count` of them.
  private func found(_ reader: TagReader, _ count: Int) -> [TagReader.Found] {
    var all: [TagReader.Found] = []
    _ = poll(within: 20) {
      all += reader.take()
      return all.count >= count
    }
    return all
  }

  @Test func `all tracks are read, from the one at which the list begins`() throws {
    let paths = try (0..<6).map { try song("\($0).flac", "Title \($0)") }
    let reader = TagReader()
    reader.begin(paths, at: 2)
    let all = found(reader, 6)
    #expect(all.map(\.number) == [2, 3, 4, 5, 0, 1])
    #expect(
      all[0].tags.title == "Title 2" && all[0].tags.artist == "Some One" && all[0].tags.album == "The Album")
    #expect(String(decoding: all[0].folded, as: UTF8.self) == "title 2\nsome one\nthe album")
  }

  @Test func `requested tracks are read before the rest of the list, in the order of the request`() throws {
    let path = try song("a.flac", "One")
    let reader = TagReader()
    reader.begin(Array(repeating: path, count: 2 * TagReader.mostWaiting))
    // The reader pauses here, so the request comes before any more is read.
    #expect(poll(within: 30) { reader.waiting == TagReader.mostWaiting })
    reader.want([500, 400])
    #expect(reader.take().map(\.number) == Array(0..<TagReader.mostWaiting))
    #expect(found(reader, 3).prefix(3).map(\.number) == [500, 400, TagReader.mostWaiting])
  }

  @Test func `files that are no music, have no tags or are missing give nothing, and delay no other`() throws
  {
    let good = try song("good.flac", "Good")
    let bad = folder.file("bad.flac")
    try Data("no music at all".utf8).write(to: URL(fileURLWithPath: bad))
    let pipe = folder.file("pipe.flac")
    mkfifo(pipe, 0o600)
    let reader = TagReader()
    reader.begin([bad, pipe, folder.path, "/nowhere/a.mp3", good])
    // The last one is read last, so by then the others have given nothing.
    #expect(found(reader, 1).map(\.number) == [4])
  }

  @Test func `a file is read again only if it has changed`() throws {
    let path = try song("a.flac", "Old")
    let reader = TagReader()
    reader.begin([path])
    #expect(found(reader, 1).first?.tags.title == "Old")
    // Another title in a file that looks the same: what is cached shows that the file was not read.
    var status = stat()
    let isThere = stat(path, &status) == 0
    #expect(isThere)
    let place = try #require(
      try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("=Old".utf8)))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(place.lowerBound))
    try file.write(contentsOf: Data("=Odd".utf8))
    try file.close()
    func touch(_ time: timespec) -> Bool { utimensat(AT_FDCWD, path, [time, time], 0) == 0 }
    #expect(touch(status.st_mtim))
    reader.begin([path])
    #expect(found(reader, 1).first?.tags.title == "Old")
    #expect(touch(timespec(tv_sec: 1_000_000_000, tv_nsec: 0)))
    reader.begin([path])
    #expect(found(reader, 1).first?.tags.title == "Odd")
    unlink(path)
    _ = try song("a.flac", "A New One")
    reader.begin([path])
    #expect(found(reader, 1).first?.tags.title == "A New One")
  }

  @Test func `results that are not taken are limited`() throws {
    let path = try song("a.flac", "One")
    let reader = TagReader()
    reader.begin(Array(repeating: path, count: 2 * TagReader.mostWaiting))
    #expect(poll(within: 30) { reader.waiting == TagReader.mostWaiting })
    #expect(stays(for: 0.1) { reader.waiting == TagReader.mostWaiting })
    var count = 0
    let all = poll(within: 30) {
      let some = reader.take().count
      #expect(some <= TagReader.mostWaiting)
      count += some
      return count == 2 * TagReader.mostWaiting
    }
    #expect(all, "\(count)")
  }

  @Test func `a list that was replaced gives no more results`() throws {
    let (old, new) = (try song("a.flac", "Old"), try song("b.flac", "New"))
    let reader = TagReader()
    reader.begin(Array(repeating: old, count: 300))
    reader.begin([new])
    #expect(found(reader, 1).map(\.tags.title) == ["New"])
    #expect(stays(for: 0.1) { reader.take().isEmpty })
  }

  @Test func `words of tags are found beside those of paths`() throws {
    var search = TrackSearch([Track("/m/x/1.flac"), Track("/m/y/2.flac")])
    #expect(search.numbers(matching: "jóga") == [])
    let path = try song("joga.flac", "Jóga", artist: "Björk")
    let reader = TagReader()
    reader.begin(["/nowhere", path])
    for found in found(reader, 1) { search.learn(found) }
    #expect(search.numbers(matching: "JOGA bjork y 2") == [1])
    #expect(search.numbers(matching: "the album") == [1])
    #expect(search.numbers(matching: "joga x") == [])
  }
}
