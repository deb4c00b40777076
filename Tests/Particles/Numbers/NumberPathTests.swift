import Testing

@testable import Particles

/// Glowing sparks, dust, and a cell with a dot in its name.
func sparks() -> Layer {
  var layer = Layer()
  var spark = Cell(name: "spark")
  spark.cells = [Cell(name: "core"), Cell(name: "glow")]
  layer.cells = [spark, Cell(name: "dust"), Cell(name: "spark.2")]
  return layer
}

@Suite struct NumberPathTests {
  @Test(arguments: [
    ("scale", "scale"), ("emitterPosition.x", "position.x"), ("position.y", "position.y"),
    ("emitterZPosition", "zPosition"), ("emitterSize.width", "size.width"),
    ("emitterSize.height", "size.height"),
    ("emitterDepth", "depth"), ("birthRate", "birthRate"), ("cells.dust.birthRate", "cells.dust.birthRate"),
    ("cells.spark.cells.glow.scale", "cells.spark.cells.glow.scale"),
    ("emitterCells.spark.emitterCells.glow.scale", "cells.spark.cells.glow.scale"),
    ("emitterCells.spark.cells.glow.colour.alpha", "cells.spark.cells.glow.color.alpha"),
    ("cells.spark.contentsRect.origin.x", "cells.spark.contentsRect.x"),
    ("cells.spark.contentsRect.size.height", "cells.spark.contentsRect.height"),
    ("cells.spark.2.scale", "cells.spark.2.scale"),
  ])
  func `a path leads to its number`(path: String, plain: String) throws {
    let layer = sparks()
    let number = try layer.number(at: path)
    #expect(number.path == plain)
    #expect(try layer.number(at: plain) == number)
  }

  @Test func `every number is found by its path, and read and written alone`() throws {
    let layer = sparks()
    let all = layer.allNumbers
    #expect(all.count == 15 + 5 * 39)
    #expect(Set(all).count == all.count && Set(all.map(\.path)).count == all.count)
    for number in all {
      #expect(try layer.number(at: number.path) == number)
      var changed = layer
      changed[number] = 0.5
      #expect(changed[number] == (number.path == "seed" ? 1 : 0.5))
      for other in all where other != number { #expect(changed[other] == layer[other]) }
    }
  }

  @Test func `every older name is found, too`() throws {
    let layer = sparks()
    for number in Layer.numbers {
      for alias in number.aliases { #expect(try layer.number(at: alias).path == number.name) }
    }
    for number in Cell.numbers {
      for alias in number.aliases {
        #expect(try layer.number(at: "cells.dust." + alias).path == "cells.dust." + number.name)
      }
    }
  }

  @Test func `a number has its unit and range`() throws {
    let layer = sparks()
    #expect(try layer.number(at: "position.x").unit == .pointsAcross)
    #expect(try layer.number(at: "position.y").unit == .pointsDown)
    #expect(try layer.number(at: "cells.spark.spin").unit == .radiansPerSecond)
    #expect(try layer.number(at: "cells.spark.birthRate").range == 0...100_000)
    #expect(try layer.number(at: "cells.spark.color.red").range == 0...1)
  }

  @Test func `a seed is an integer and stays within its range`() throws {
    var layer = Layer()
    let seed = try layer.number(at: "seed")
    layer[seed] = 7.5
    #expect(layer.seed == 8)
    layer[seed] = -1
    #expect(layer.seed == 0)
    layer[seed] = 1e12
    #expect(layer.seed == 4_294_967_295)
    layer[seed] = .nan
    #expect(layer.seed == 0)
  }

  @Test func `a path has no meaning for a layer without the cell`() throws {
    let number = try sparks().number(at: "cells.spark.cells.glow.scale")
    var other = Layer()
    other[number] = 3
    #expect(other == Layer())
    #expect(other[number].isNaN)
  }

  private func fault(_ path: String) -> NumberPathError? {
    do {
      _ = try sparks().number(at: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a wrong cell is reported with its position and the existing cells`() {
    #expect(
      fault("cells.spark.cells.glw.scale")
        == NumberPathError(
          reason: .unknownCell, path: "cells.spark.cells.glw.scale", part: "glw", position: 18..<21,
          place: "cells.spark", known: ["core", "glow"], words: ["core", "glow"]))
    #expect(fault("cells.none.scale")?.known == ["spark", "dust", "spark.2"])
    #expect(fault("cells.none.scale")?.place == "")
  }

  @Test func `a wrong property is reported with its position and the existing ones`() {
    let wrong = fault("cells.spark.scal")
    #expect(wrong?.reason == .unknownProperty && wrong?.code == "unknown-key")
    #expect(wrong?.position == 12..<16 && wrong?.part == "scal" && wrong?.place == "cells.spark")
    #expect(wrong?.known.last == "cells.glow" && wrong?.known.first == "birthRate")
    #expect(fault("emiterPosition.x")?.words.contains("emitterPosition.x") == true)
    #expect(fault("position.z")?.position == 0..<10)
  }

  @Test func `a property that is no number is reported with its kind`() {
    #expect(fault("emitterShape")?.reason == .notANumber("a word"))
    let point = fault("emitterPosition")
    #expect(point?.reason == .notANumber("a point") && point?.known == ["position.x", "position.y"])
    #expect(fault("cells.spark.color")?.known == ["color.red", "color.green", "color.blue", "color.alpha"])
    #expect(fault("cells.spark.contents")?.position == 12..<20)
  }

  @Test(arguments: [
    "", "cells", "cells.", "emitterCells", "cells.spark", "cells.spark.", "cells.spark.cells",
  ])
  func `a path that ends too early is incomplete`(path: String) {
    let wrong = fault(path)
    #expect(wrong?.reason == .incomplete)
    let end = path.unicodeScalars.count
    #expect(wrong?.position == end..<end && wrong?.part == "")
  }

  @Test(arguments: [
    ".", "..", ".scale", "scale.", "cells..scale", "cells.spark..scale", "ce\u{301}lls.a", " scale",
  ])
  func `hostile paths end in a fault`(path: String) { #expect(fault(path) != nil) }
}
