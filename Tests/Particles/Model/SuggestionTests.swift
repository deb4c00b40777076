import Testing

@testable import Particles

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("cells.spark.cells.glw.scale", "cells.spark.cells.glow.scale"),
    ("emitterCells.sprk.birthRate", "emitterCells.spark.birthRate"),
    ("emiterPosition.x", "emitterPosition.x"),
    ("cells.spark.Scale", "cells.spark.scale"), ("spark.scale", "cells.spark.scale"),
    ("cells.spark.glow.scale", "cells.spark.cells.glow.scale"),
  ])
  func `a similar name is suggested as a whole path`(path: String, meant: String) {
    #expect(suggestion(path) == .some(meant))
  }

  @Test(arguments: [
    "cells.spark", "loudness", "cells.completely.different", "shape", String(repeating: "a", count: 99),
  ])
  func `a name without a similar one gets no suggestion`(path: String) { #expect(suggestion(path) == nil) }

  private func suggestion(_ path: String) -> String? {
    do {
      _ = try sparks().number(at: path)
      return "found"
    } catch {
      return error.suggestion
    }
  }
}
