import Testing

@testable import Graphs

@Suite struct StagePlacesTests {
  private func places(_ arrange: StageArrangement, _ count: Int, margin: Double = 0) -> [[Double]] {
    var stage = Stage()
    (stage.width, stage.height, stage.arrange, stage.margin) = (1200, 600, arrange, margin)
    return (0..<count).map { channel in
      let place = stage.place(ofChannel: channel, of: count)
      return [place.x.rounded(), place.y.rounded()]
    }
  }

  @Test func `a row has each emitter in the middle of its part`() {
    #expect(places(.row, 1) == [[600, 300]])
    #expect(places(.row, 3) == [[200, 300], [600, 300], [1000, 300]])
    #expect(places(.row, 2, margin: 0.1) == [[360, 300], [840, 300]])
  }

  @Test func `a column goes down`() {
    #expect(places(.column, 2, margin: 0.25) == [[600, 225], [600, 375]])
  }

  @Test func `a stack is in the middle`() {
    #expect(places(.stack, 2, margin: 0.5) == [[600, 300], [600, 300]])
  }

  @Test func `a grid is as square as possible, row by row`() {
    #expect(places(.grid, 2) == [[300, 300], [900, 300]])
    #expect(places(.grid, 5) == [[200, 150], [600, 150], [1000, 150], [200, 450], [600, 450]])
  }

  @Test func `a ring is the largest circle inside the margins, clockwise from the top`() {
    #expect(places(.ring, 1) == [[600, 300]])
    #expect(places(.ring, 4) == [[600, 0], [900, 300], [600, 600], [300, 300]])
    #expect(places(.ring, 4, margin: 0.25) == [[600, 150], [750, 300], [600, 450], [450, 300]])
    #expect(places(.ring, 2, margin: 0.5) == [[600, 300], [600, 300]])
  }
}
