import Testing

@testable import Rendering

@Suite struct PictureErrorTests {
  @Test func `a fault keeps its code and its sentence`() {
    #expect(PictureError("no-picture", "a.png is no PNG").code == "no-picture")
  }
}
