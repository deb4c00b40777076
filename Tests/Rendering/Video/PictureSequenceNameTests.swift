import Testing

@testable import Rendering

/// Names of numbered pictures.
@Suite struct PictureSequenceNameTests {
  @Test func `a name has one placeholder for a number`() throws {
    let name = try #require(PictureSequenceName("out/frame-%05d.png"))
    #expect(name.path(1) == "out/frame-00001.png")
    #expect(name.path(123_456) == "out/frame-123456.png")
    #expect(name.folder == "out")
    #expect(PictureSequenceName("%d.png")?.path(12) == "12.png")
    #expect(PictureSequenceName("%d.png")?.folder == ".")
    #expect(PictureSequenceName("/%02d")?.path(3) == "/03")
    #expect(PictureSequenceName("/%02d")?.folder == "/")
  }

  @Test func `other names are invalid`() {
    for wrong in [
      "a.png", "%s.png", "%d%d.png", "%5d.png", "%0d.png", "%020d.png", "%00d.png", "%-3d.png", "%d/a.png",
      "100%.png",
      "%%.png", "%", "%0", "%0x5d",
    ] {
      #expect(PictureSequenceName(wrong) == nil, "\(wrong)")
    }
  }
}
