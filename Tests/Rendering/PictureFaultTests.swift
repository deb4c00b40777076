import Testing

@testable import Rendering

@Suite struct PictureFaultTests {
  @Test func `a fault keeps its code and its sentence`() {
    #expect(PictureFault("no-picture", "a.png is no PNG").code == "no-picture")
  }
}
