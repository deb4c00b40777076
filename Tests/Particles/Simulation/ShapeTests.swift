import Testing

@testable import Particles

/// 100,000 births and more in every shape and mode, compared with the expected uniform distribution over length, area
/// and volume.
@Suite struct ShapeTests {
  static let count = 120_000
  private let w = 40.0
  private let h = 20.0
  private let d = 60.0

  private func sprites(_ shape: EmitterShape, _ mode: EmitterMode) -> [(x: Double, y: Double, z: Double)] {
    let system = crowd(Self.count) { layer, _ in
      layer.shape = shape
      layer.mode = mode
      layer.size = Size(width: w, height: h)
      layer.depth = d
    }
    return system.sprites.map { (x: Double($0.x), y: Double($0.y), z: Double($0.z)) }
  }

  private func even(_ values: [Double], _ low: Double, _ high: Double) -> Bool {
    Spread(values: values).unevenness(low - 1e-4, high + 1e-4) < 5
  }

  /// Whether a part is as frequent as expected, within five standard deviations.
  private func share(_ part: Int, of whole: Int, _ expected: Double) -> Bool {
    let mean = Double(whole) * expected
    let deviation = (mean * (1 - expected)).squareRoot()
    return abs(Double(part) - mean) < 5 * deviation + 1
  }

  @Test(arguments: EmitterMode.allCases)
  func `a point is its position`(mode: EmitterMode) {
    #expect(sprites(.point, mode).allSatisfy { $0 == (0, 0, 0) })
  }

  @Test func `a line has two ends, or all points between`() {
    for mode in [EmitterMode.points, .outline] {
      let all = sprites(.line, mode)
      #expect(all.allSatisfy { abs($0.x) == w / 2 && $0.y == 0 && $0.z == 0 })
      #expect(share(all.filter { $0.x > 0 }.count, of: all.count, 0.5))
    }
    for mode in [EmitterMode.surface, .volume] {
      let all = sprites(.line, mode)
      #expect(even(all.map(\.x), -w / 2, w / 2) && all.allSatisfy { $0.y == 0 && $0.z == 0 })
    }
  }

  @Test func `a rectangle has four corners, edges by length, and its area`() {
    let corners = sprites(.rectangle, .points)
    #expect(corners.allSatisfy { abs($0.x) == w / 2 && abs($0.y) == h / 2 && $0.z == 0 })
    for (sx, sy) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
      #expect(share(corners.filter { $0.x * sx > 0 && $0.y * sy > 0 }.count, of: Self.count, 0.25))
    }
    let outline = sprites(.rectangle, .outline)
    let across = outline.filter { abs($0.y) == h / 2 }
    let down = outline.filter { abs($0.x) == w / 2 && abs($0.y) < h / 2 }
    #expect(across.count + down.count == Self.count)
    #expect(share(across.count, of: Self.count, w / (w + h)))
    #expect(even(across.map(\.x), -w / 2, w / 2) && even(down.map(\.y), -h / 2, h / 2))
    #expect(share(across.filter { $0.y > 0 }.count, of: across.count, 0.5))
    #expect(share(down.filter { $0.x > 0 }.count, of: down.count, 0.5))
    for mode in [EmitterMode.surface, .volume] {
      let all = sprites(.rectangle, mode)
      #expect(even(all.map(\.x), -w / 2, w / 2) && even(all.map(\.y), -h / 2, h / 2))
      #expect(all.allSatisfy { $0.z == 0 })
      #expect(abs(Spread(values: all.map(\.x)).correlation(Spread(values: all.map(\.y)))) < 0.015)
    }
  }

  @Test func `a cuboid has eight corners, edges by length, faces by area, and its inside`() {
    let corners = sprites(.cuboid, .points)
    for sx in [1.0, -1] {
      for sy in [1.0, -1] {
        for sz in [1.0, -1] {
          let here = corners.filter { $0 == (sx * w / 2, sy * h / 2, sz * d / 2) }
          #expect(share(here.count, of: Self.count, 0.125))
        }
      }
    }
    let edges = sprites(.cuboid, .outline)
    let along = [
      edges.filter { abs($0.y) == h / 2 && abs($0.z) == d / 2 },
      edges.filter { abs($0.x) == w / 2 && abs($0.z) == d / 2 },
      edges.filter { abs($0.x) == w / 2 && abs($0.y) == h / 2 },
    ]
    #expect(share(along[0].count, of: Self.count, w / (w + h + d)) && even(along[0].map(\.x), -w / 2, w / 2))
    #expect(share(along[1].count, of: Self.count, h / (w + h + d)) && even(along[1].map(\.y), -h / 2, h / 2))
    #expect(share(along[2].count, of: Self.count, d / (w + h + d)) && even(along[2].map(\.z), -d / 2, d / 2))
    for (a, b) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
      #expect(share(along[2].filter { $0.x * a > 0 && $0.y * b > 0 }.count, of: along[2].count, 0.25))
    }
    let faces = sprites(.cuboid, .surface)
    let area = w * h + w * d + h * d
    let front = faces.filter { abs($0.z) == d / 2 }
    let top = faces.filter { abs($0.y) == h / 2 }
    let side = faces.filter { abs($0.x) == w / 2 }
    #expect(
      share(front.count, of: Self.count, w * h / area) && share(top.count, of: Self.count, w * d / area))
    #expect(share(side.count, of: Self.count, h * d / area))
    #expect(even(front.map(\.x), -w / 2, w / 2) && even(front.map(\.y), -h / 2, h / 2))
    #expect(even(top.map(\.x), -w / 2, w / 2) && even(top.map(\.z), -d / 2, d / 2))
    #expect(even(side.map(\.y), -h / 2, h / 2) && even(side.map(\.z), -d / 2, d / 2))
    #expect(share(side.filter { $0.x > 0 }.count, of: side.count, 0.5))
    let inside = sprites(.cuboid, .volume)
    #expect(even(inside.map(\.x), -w / 2, w / 2) && even(inside.map(\.y), -h / 2, h / 2))
    #expect(even(inside.map(\.z), -d / 2, d / 2))
  }

  @Test func `a circle has its width as radius, and is uniform by area`() {
    for mode in EmitterMode.allCases {
      let all = sprites(.circle, mode)
      #expect(all.allSatisfy { $0.z == 0 })
      #expect(even(all.map { arc($0.y, $0.x) }, -.pi, .pi))
      let squares = all.map { ($0.x * $0.x + $0.y * $0.y) / (w * w) }
      if mode == .points || mode == .outline {
        #expect(squares.allSatisfy { abs($0 - 1) < 1e-4 })
      } else {
        #expect(even(squares, 0, 1))
      }
    }
  }

  @Test func `a sphere has its width as radius, a uniform shell and a uniform ball`() {
    for mode in EmitterMode.allCases {
      let all = sprites(.sphere, mode)
      let radii = all.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() / w }
      #expect(even(all.map { arc($0.y, $0.x) }, -.pi, .pi))
      if mode == .volume {
        #expect(even(radii.map { $0 * $0 * $0 }, 0, 1))
        #expect(even(zip(all, radii).filter { $1 > 0.1 }.map { $0.z / $1 / w }, -1, 1))
      } else {
        #expect(radii.allSatisfy { abs($0 - 1) < 1e-4 })
        for axis in [all.map(\.x), all.map(\.y), all.map(\.z)] { #expect(even(axis, -w, w)) }
      }
    }
  }

  @Test func `a shape of size 0 is its position`() {
    for shape in EmitterShape.allCases {
      for mode in EmitterMode.allCases {
        let system = crowd(100) { layer, _ in
          layer.shape = shape
          layer.mode = mode
        }
        #expect(system.sprites.allSatisfy { sprite in sprite.x == 0 && sprite.y == 0 && sprite.z == 0 })
      }
    }
  }
}
