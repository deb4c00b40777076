import Glibc

/// The measurements of `tools/bench` inside one process: `Benchmark kernel`, `Benchmark particles`, `Benchmark
/// sprites`, `Benchmark leds`, `Benchmark player FILE`, `Benchmark engine NODES CYCLES`, or `Benchmark viewers PORT
/// VIEWERS STALLED SECONDS` for viewers of a show in another process.
///
/// Results go to stdout as `name value` lines.
@main
struct Benchmark {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    case "kernel": KernelCost().run()
    case "particles": ParticleCost().run()
    case "sprites": SpriteCost().run()
    case "leds": LedCost().run()
    case "player":
      guard let path = words.dropFirst().first else { fail("player takes a FILE") }
      PlayerCost(path: path).run()
    case "engine":
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 2 else { fail("engine takes NODES and CYCLES") }
      EngineCost(nodes: numbers[0], cycles: numbers[1]).run()
    case "viewers":
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard numbers.count == 4, let port = UInt16(exactly: numbers[0]), numbers.allSatisfy({ $0 >= 0 }) else {
        fail("viewers takes PORT, VIEWERS, STALLED and SECONDS")
      }
      ViewerLoad(port: port, viewers: numbers[1], stalled: numbers[2], seconds: Double(numbers[3])).run()
    default:
      fail(
        "say what: kernel, particles, sprites, leds, player FILE, engine NODES CYCLES, or viewers PORT VIEWERS STALLED SECONDS"
      )
    }
  }

  /// Prints a sentence to stderr and exits.
  static func fail(_ text: String) -> Never {
    let line = Array("Benchmark: \(text)\n".utf8)
    _ = write(2, line, line.count)
    exit(64)
  }
}
