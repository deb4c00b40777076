import Foundation
import Glibc
import Playback
import TestSupport
import Testing

@testable import Controls

@Suite struct DesktopCoverTests {
  let folder: TemporaryFolder
  let cover: DesktopCover
  let song: PlayerSnapshot
  static let png = CoverPicture(mediaType: "image/png", bytes: Array("picture".utf8))

  init() throws {
    folder = try TemporaryFolder()
    cover = DesktopCover(folder: folder.path)
    var snapshot = PlayerSnapshot()
    snapshot.tags.hasCover = true
    song = snapshot
  }

  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  @Test func `a picture is written once a track, for this user only, and removed with the track`() throws {
    let path = try #require(cover.path(song, trackNumber: 1) { Self.png })
    #expect(path.hasSuffix(".png"))
    #expect(FileManager.default.contents(atPath: path) == Data("picture".utf8))
    var snapshot = stat()
    #expect(stat(path, &snapshot) == 0 && snapshot.st_mode & 0o777 == 0o600)
    #expect(
      cover.path(song, trackNumber: 1) {
        Issue.record("asked twice")
        return nil
      } == path)
    let next = try #require(
      cover.path(song, trackNumber: 2) { CoverPicture(mediaType: "x/../../y", bytes: [1]) })
    #expect(next != path && next.hasSuffix(".img"))
    #expect(files.count == 1)
    #expect(cover.path(PlayerSnapshot(), trackNumber: 3) { Self.png } == nil)
    #expect(files.isEmpty)
    _ = cover.path(song, trackNumber: 4) { Self.png }
    cover.remove()
    #expect(files.isEmpty)
  }

  @Test func `without a picture, with an empty or too large one, or without disk space there is no file`() {
    #expect(cover.path(song, trackNumber: 1) { nil } == nil)
    #expect(cover.path(song, trackNumber: 2) { CoverPicture(mediaType: "image/png", bytes: []) } == nil)
    let large = CoverPicture(
      mediaType: "image/png", bytes: [UInt8](repeating: 0, count: DesktopCover.largest + 1))
    #expect(cover.path(song, trackNumber: 3) { large } == nil)
    #expect(files.isEmpty)
    #expect(DesktopCover(folder: "/nowhere").path(song, trackNumber: 1) { Self.png } == nil)
  }
}
