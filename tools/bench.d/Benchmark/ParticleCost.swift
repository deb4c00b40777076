import CBenchmark
import CRealtime
import Particles

/// The cost of particles on one thread, in nanoseconds: a step of a living particle, a birth, both together, and a
/// sprite.
///
/// Every figure is the least of many rounds, which alternate with rounds of the plain loop that it is compared with.
struct ParticleCost {
  private let frame = 1.0 / 60

  func run() {
    for count in [5_000, 20_000, 50_000, 1_000_000] {
      let (ours, plain) = livingOn(count)
      print("\(count).step \(ours)")
      print("\(count).plain \(plain)")
      print("\(count).all \(allIn(count))")
    }
    print("200000.all \(allIn(200_000))")
    print("birth \(birth(10_000))")
    print("inner \(innerBirth(10_000))")
    print("sprite \(sprite(20_000, .additive))")
    print("sorted \(sprite(20_000, .oldestFirst))")
  }

  /// A layer as in visualizers, with all properties random.
  private func layer(_ count: Int, _ change: (inout Cell) -> Void = { _ in }) -> Layer {
    var layer = Layer()
    layer.limit = 2 * count
    layer.shape = .rectangle
    layer.size = Size(width: 200, height: 100)
    layer.position = Point(x: 640, y: 360)
    var cell = Cell(name: "spark")
    cell.birthRate = Double(count)
    cell.lifetime = 1
    cell.lifetimeRange = 0.25
    (cell.velocity, cell.velocityRange, cell.emissionRange) = (100, 300, 2 * .pi)
    (cell.scale, cell.scaleRange, cell.scaleSpeed, cell.spin, cell.spinRange) = (1, 0.5, -0.2, 1, 2)
    cell.color = Color(red: 1, green: 0.53, blue: 0, alpha: 0.8)
    (cell.redRange, cell.greenRange, cell.blueRange, cell.alphaRange) = (0.46, 0.49, 0.67, 0.55)
    (cell.redSpeed, cell.greenSpeed, cell.blueSpeed, cell.alphaSpeed) = (0.11, 0.07, -0.25, 0.15)
    change(&cell)
    layer.cells = [cell]
    return layer
  }

  private func system(_ layer: Layer) -> ParticleSystem { ParticleSystem(layer, node: "sparks", channel: 1) }

  private func livingOn(_ count: Int) -> (ours: Double, plain: Double) {
    let system = system(
      layer(count) {
        $0.birthRate = Double(count) * 60
        ($0.lifetime, $0.lifetimeRange, $0.velocity, $0.velocityRange) = (3600, 0, 1, 2)
      })
    system.step(frame)
    system.layer.birthRate = 0
    guard system.live == count else { Benchmark.fail("\(system.live) of \(count) live") }
    let stride = count + 80
    let columns = UnsafeMutablePointer<Float>.allocate(capacity: 17 * stride)
    columns.initialize(repeating: 0.001, count: 17 * stride)
    defer { columns.deallocate() }
    var (ours, plain) = (Double.infinity, Double.infinity)
    let steps = max(4, 2_000_000 / count)
    for _ in 0..<max(12, 200_000_000 / (count * steps)) {
      ours = min(ours, nanoseconds { for _ in 0..<steps { system.step(frame) } })
      plain = min(plain, nanoseconds { for _ in 0..<steps { bench_particles(columns, stride, count, 1e-6) } })
    }
    let each = Double(count * steps)
    return (ours / each, plain / each)
  }

  private func allIn(_ count: Int) -> Double {
    let system = system(layer(count))
    for _ in 0..<120 { system.step(frame) }
    var least = Double.infinity
    let steps = max(4, 1_000_000 / count)
    for _ in 0..<60 {
      let live = system.live
      least = min(least, nanoseconds { for _ in 0..<steps { system.step(frame) } } / Double(live * steps))
    }
    return least
  }

  private func birth(_ count: Int) -> Double {
    let system = system(layer(count) { ($0.birthRate, $0.lifetimeRange) = (Double(count) * 60, 0) })
    var least = Double.infinity
    for _ in 0..<300 {
      system.layer.birthRate = 1
      least = min(least, nanoseconds { system.step(frame) } / Double(count))
      system.layer.birthRate = 0
      system.step(2)
    }
    return least
  }

  private func innerBirth(_ count: Int) -> Double {
    var layer = layer(count) { ($0.birthRate, $0.lifetime, $0.lifetimeRange) = (Double(count) * 60, 3600, 0) }
    layer.limit = count
    var inner = layer.cells[0]
    (inner.name, inner.birthRate, inner.lifetime) = ("glow", 60, 1)
    layer.cells[0].cells = [inner]
    let system = system(layer)
    system.step(frame)
    system.layer.limit = 2 * count
    var least = Double.infinity
    for _ in 0..<300 {
      system.layer.birthRate = 1
      system.layer.cells[0].birthRate = 0
      least = min(least, nanoseconds { system.step(frame) } / Double(count))
      guard system.live == 2 * count else { Benchmark.fail("\(system.live) live") }
      system.layer.birthRate = 0
      system.step(2)
    }
    return least
  }

  private func sprite(_ count: Int, _ mode: RenderMode) -> Double {
    var layer = layer(count)
    layer.renderMode = mode
    let system = system(layer)
    for _ in 0..<120 { system.step(frame) }
    var sprites: [Sprite] = []
    var least = Double.infinity
    for _ in 0..<200 {
      sprites.removeAll(keepingCapacity: true)
      least = min(least, nanoseconds { system.appendSprites(to: &sprites) } / Double(system.live))
    }
    return least
  }

  private func nanoseconds(_ body: () -> Void) -> Double {
    let begin = vg_now()
    body()
    return Double(vg_now() - begin)
  }
}
