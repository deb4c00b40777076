import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct SegmentFolderTests {
  @Test func `frames count from 1 and segments from 0, and the last one may be short`() {
    let grid = SegmentGrid(length: 60)
    #expect(grid.segment(of: 1) == 0 && grid.segment(of: 60) == 0 && grid.segment(of: 61) == 1)
    #expect(grid.start(of: 2) == 120)
    #expect([1, 60, 61, 120].map { grid.count(of: $0) } == [1, 1, 2, 2])
    #expect(SegmentGrid(length: 0).length == 1)
  }

  @Test func `a segment exists when its pictures do, and drafts of others are not touched`() throws {
    let folder = try TemporaryFolder()
    let segments = SegmentFolder(folder.path, .mp4)
    #expect(segments.pictures(11) == folder.file("segment-00012.mp4"))
    #expect(segments.sound(99_999) == folder.file("segment-100000.f32"))
    try folder.write([1], to: "segment-00001.f32")
    #expect(!segments.holds(0))
    try folder.write([1], to: "segment-00001.mp4")
    #expect(segments.holds(0))
    let (own, other) = (segments.draft(4), segments.draft(5))
    #expect(own != segments.draft(4))
    for draft in [own, other] { try Data([1]).write(to: URL(filePath: draft)) }
    segments.removeDrafts(of: 0..<5)
    #expect(!FileManager.default.fileExists(atPath: own) && FileManager.default.fileExists(atPath: other))
    try folder.write([1], to: "mine")
    segments.removeSegments()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine"])
  }

  @Test
  func
    `a segment is encoded with the same options on any machine, and a whole film with the best ones of this machine`()
  {
    func words(_ codec: VideoCodec, isAnywhere: Bool) -> [String] {
      codec.options(.normal, hasAlpha: false, isAnywhere: isAnywhere)
    }
    for codec in VideoCodec.allCases {
      #expect(words(codec, isAnywhere: true).prefix(2) == ["-threads", "4"])
      #expect(!words(codec, isAnywhere: false).contains("-threads"))
    }
    #expect(words(.h264, isAnywhere: true).contains("cpu-independent=1"))
  }
}
