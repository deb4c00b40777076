import Testing

@testable import Viewer

/// The numbers of the emitters of a stage.
@Suite struct StageHubTests {
  @Test func `a new emitter has the number of no other, also when all have been used`() {
    let kept: Set<UInt16> = [1, 2, 4, .max]
    func free(from number: UInt16) -> UInt16 { StageHub.freeNumber(from: number) { kept.contains($0) } }
    #expect(free(from: 3) == 3 && free(from: 4) == 5)
    #expect(free(from: .max) == 3 && free(from: 1) == 3)
    // The search ends, too, where none is left.
    #expect(StageHub.freeNumber(from: 7, { _ in true }) > 0)
  }
}
