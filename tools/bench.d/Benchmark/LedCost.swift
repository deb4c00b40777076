import CBenchmark
import CRealtime
import Engine
import Glibc
import Graphs
import Hosts
import Nodes
import Particles
import Realtime
import Rendering

/// The cost of 100,000 LEDs: their colors, compared with a plain loop; and a show of 10,000 particles on them, sent to
/// a device by DDP.
struct LedCost {
  private static let (columns, rows) = (400, 250)
  private static var count: Int { columns * rows }

  func run() {
    colors()
    show()
  }

  /// Sampling with order, curve and limit, the least of many rounds, alternating with the plain loop.
  private func colors() {
    let (width, height) = (2 * Self.columns, 2 * Self.rows)
    let places = (0..<Self.count).map { led -> LedPlace? in
      LedPlace(
        x: 2 * Double(led % Self.columns) + 1, y: 2 * Double(led / Self.columns) + 1, width: 2, height: 2)
    }
    let sampler = LedSampler(
      places, stage: Size(width: Double(width), height: Double(height)), sampling: .mean)
    var form = LedForm()
    form.order = [.green, .red, .blue]
    (form.gamma, form.limit) = (2.2, 500)
    let bytes = LedBytes(count: Self.count, form)
    var state: UInt32 = 1
    let pixels = (0..<4 * width * height).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let curve = (0..<256).map { UInt8((pow(Double($0) / 255, 2.2) * 255).rounded()) }
    let plain = (0..<Self.count).map {
      UInt32(4 * (2 * ($0 / Self.columns) * width + 2 * ($0 % Self.columns)))
    }
    var out = [UInt8](repeating: 0, count: 3 * Self.count)
    var (own, other) = (Double.infinity, Double.infinity)
    pixels.withUnsafeBytes { pixels in
      for _ in 0..<200 {
        let start = vg_now()
        sampler.take(pixels)
        bytes.take(sampler)
        let middle = vg_now()
        bench_leds(
          pixels.baseAddress!.assumingMemoryBound(to: UInt8.self), 4 * width, plain, Self.count, curve,
          Float(500 * 255 / 0.02), &out)
        let end = vg_now()
        (own, other) = (min(own, Double(middle - start)), min(other, Double(end - middle)))
      }
    }
    print("colors.own \(own / 1e6)\ncolors.plain \(other / 1e6)")
  }

  /// A port of this machine that is never read: a refusal would be a second packet for each.
  private static let port: UInt16 = {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { raw in
      let place = raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      _ = bind(descriptor, place, length)
      _ = getsockname(descriptor, place, &length)
    }
    return UInt16(bigEndian: address.sin_port)
  }()

  private var graph: String {
    """
    visgraph: 1
    fps: 60
    stage: { size: 800x500 }
    nodes:
      one: { type: constant, value: 1 }
      sparks:
        type: emitter
        shape: circle
        size: [300, 300]
        renderMode: additive
        cells:
          spark:
            { birthRate: 5000, lifetime: 2, velocity: 90, velocityRange: 60, emissionRange: 360 deg, scale: 0.25, alphaSpeed: -0.4 }
      wall: { type: pixels, layout: { grid: \(Self.columns)x\(Self.rows), order: serpentine }, colors: GRB, gamma: 2.2, limit: 500 A }
      out: { type: ddp-output, to: "127.0.0.1:\(Self.port)" }
    wires: [one -> sparks, sparks.picture -> wall -> out]

    """
  }

  /// Whole frames on one thread and its helpers: milliseconds on all cores, and the share of sending.
  private func show() {
    let checked = Checker(Catalog(types: everyNode)).check(SourceText(path: "leds.yaml", text: graph))
    guard let graph = checked.graph else { Benchmark.fail(DiagnosticText.text(checked)) }
    let show = Show()
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .network)
    guard let plan = try? show.open(graph, configuration, host: nil) else { Benchmark.fail("no plan") }
    let runner = CycleRunner(engine: show.engine, bell: show.frames.bell)
    var (frames, sending, drawing, cores) = (0, [Double](), [Double](), [Double]())
    while frames < 360 {
      // A frame has 800 samples.
      for _ in 0..<2 { _ = runner.run(400) }
      while let record = plan.plan.pointee.queue.peek() {
        let begin = Self.processorSeconds
        plan.frames.run(record, waiting: 0, isFreewheeling: false)
        plan.plan.pointee.queue.pop()
        for node in plan.scene { node.advance() }
        plan.sceneEnd?.advance()
        let first = vg_now()
        for led in plan.leds { led.show() }
        let middle = vg_now()
        for node in plan.scene where !(node is PixelsScene) { node.show() }
        let end = vg_now()
        frames += 1
        // After two seconds all particles exist.
        if frames > 180 {
          drawing.append(Double(middle - first) / 1e6)
          sending.append(Double(end - middle) / 1e6)
          cores.append((Self.processorSeconds - begin) * 1e3)
        }
      }
    }
    for (name, values) in [("draw", drawing), ("send", sending), ("cores", cores)] {
      let sorted = values.sorted()
      print("\(name).median \(sorted[sorted.count / 2])\n\(name).least \(sorted[0])")
    }
    var sprites: [Sprite] = []
    plan.withSystemsInOrder { _, system in system.appendSprites(to: &sprites) }
    print("particles \(sprites.count)")
    exit(0)
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
