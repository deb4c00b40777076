import Particles
import Testing

@testable import Nodes

@Suite struct SceneStepsTests {
  private func step(_ number: Int64) -> SceneStep {
    SceneStep(layers: [], frames: 1, seconds: 0.1, number: number, time: 0, sender: nil)
  }

  @Test func `frames are taken in order, each once`() {
    let steps = SceneSteps()
    for number in 1...3 { steps.add(step(Int64(number))) }
    #expect(steps.take().map(\.number) == [1, 2, 3] && steps.take().isEmpty)
  }

  @Test func `above two seconds of frames the oldest are dropped and counted`() {
    let steps = SceneSteps()
    for number in 1...30 { steps.add(step(Int64(number))) }
    #expect(steps.take().map(\.number) == Array(10...30))
    #expect(steps.takeLeftOut() == 9 && steps.takeLeftOut() == 0)
  }
}
