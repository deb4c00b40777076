import DMX
import Graphs
import Rendering
import Synchronization
import System
import TestSupport
import Testing

@testable import Engine
@testable import Nodes

/// The end of a route, whatever the thread that sends is doing.
@Suite(.waiting) struct PixelRouteTests {
  /// Packets whose sending hangs or never ends, with a count of the dark ones.
  private final class Packets: PixelPackets, @unchecked Sendable {
    enum Kind {
      case plain, hanging
      /// A frame with an unlimited number of packets.
      case endless
    }
    let parts = [0..<3]
    let kind: Kind
    let frames = Atomic<Int>(0)
    let dark = Atomic<Int>(0)
    let isFree = Atomic<Bool>(false)

    init(_ kind: Kind) { self.kind = kind }

    func make(
      _ part: Int, of bytes: UnsafeRawBufferPointer, at seconds: Double,
      _ take: (UnsafeRawBufferPointer) -> Bool
    ) {
      let number = frames.add(1, ordering: .relaxed).newValue
      if number == 1, kind == .hanging { while !isFree.load(ordering: .acquiring) {} }
      if number == 1, kind == .endless { while take(bytes) {} }
      if number > 1 || kind == .plain {
        dark.add(bytes.allSatisfy { $0 == 0 } ? 1 : 0, ordering: .relaxed)
        _ = take(bytes)
      }
    }
  }

  /// A lit LED, as the source of a route.
  private final class LitLed {
    private let pictures = PlanPictures()
    private let scene: PixelsScene
    private let form: LedForm
    private var number: Int64 = 0
    let order: PixelOrder

    init(_ dimmer: Dimmer) {
      var settings = Pixels.Settings()
      settings.layout.strip = 1
      form = settings.form
      scene = PixelsScene("led", settings, Stage(), dimmer)
      pictures.fill([scene], order: [0], end: nil)
      let input = CheckedInput(
        name: "in", type: .pixels, channels: [Channel(1, pixels: PixelRun(count: 1, bytes: 3))],
        sources: [[CheckedInput.Source(node: 0, output: 0, channel: 0)]])
      order = PixelOrder(settings: PixelSendSettings(), sources: PixelSources(pictures, input))
    }

    /// Shows the next frame.
    func advance() {
      number += 1
      let end = Double(number) * 0.02
      scene.leave(
        PixelsStep(
          number: number, end: end, schedule: end, seconds: 0.02, isFreewheeling: false, form: form,
          brightness: 1, pictures: nil, bars: [1], colors: [1, 1, 1]))
      scene.show()
    }
  }

  /// A route with packets of a kind, and plain ones for the end and the dark.
  private static func route(
    _ kind: Packets.Kind, _ dimmer: Dimmer, count: Int = 3,
    lights: UniverseRoute.KeptLights = UniverseRoute.KeptLights(), counts: PixelCounts? = nil
  ) -> (PixelRoute, [Packets]) {
    let all = [Packets(kind), Packets(.plain)]
    let made = Locked(0)
    let route = PixelRoute(
      "test", count: count, dimmer: dimmer, lights: [lights], counts: counts,
      by: PixelDelivery(destinations: []) {
        made.withLock { made in
          defer { made += 1 }
          return all[made]
        }
      })
    return (route, all)
  }

  /// Makes a blackout while a thread hangs in a frame, and waits until the frame thread has sent the dark without the
  /// lock. Returns the thread.
  private static func blackout(
    _ dimmer: Dimmer, of route: PixelRoute, _ all: [Packets], during frame: @escaping @Sendable () -> Void
  ) -> TestThread {
    let thread = TestThread(frame)
    #expect(poll { all[0].frames.load(ordering: .relaxed) == 1 })
    dimmer.isBlackout = true
    let begin = now()
    let isForced = poll {
      route.goDark(at: 1)
      return all[1].dark.load(ordering: .relaxed) > 0
    }
    #expect(isForced && now() - begin >= PixelRoute.timeout)
    return thread
  }

  private func end(_ kind: Packets.Kind) throws -> (seconds: Double, first: Packets, last: Packets) {
    let (route, all) = Self.route(kind, Dimmer())
    let thread = TestThread { route.rest(for: 0.02) }
    #expect(poll { all[0].frames.load(ordering: .relaxed) == 1 })
    let begin = now()
    route.finish(at: 1)
    let seconds = now() - begin
    all[0].isFree.store(true, ordering: .releasing)
    #expect(poll { thread.isDone })
    // Nothing is sent after the end, and a second end does nothing.
    route.rest(for: 10)
    route.finish(at: 2)
    return (seconds, all[0], all[1])
  }

  @Test func `a thread that hangs while it sends does not keep LEDs lit`() throws {
    let least = try shortest(below: 20 * PixelRoute.timeout) {
      let (seconds, first, last) = try end(.hanging)
      #expect(seconds >= PixelRoute.timeout, "\(seconds)")
      #expect(last.dark.load(ordering: .relaxed) == 3 && first.frames.load(ordering: .relaxed) == 1)
      return seconds
    }
    #expect(least < 20 * PixelRoute.timeout)
  }

  @Test func `a blackout is sent although the thread that sends hangs, and once more when it goes on`()
    throws
  {
    let dimmer = Dimmer()
    let (route, all) = Self.route(.hanging, dimmer)
    let thread = Self.blackout(dimmer, of: route, all, during: { route.rest(for: 0.02) })
    for _ in 0..<10 { route.goDark(at: 1) }
    #expect(all[1].frames.load(ordering: .relaxed) == 1)
    all[0].isFree.store(true, ordering: .releasing)
    #expect(poll { thread.isDone })
    route.goDark(at: 2)
    #expect(all[0].dark.load(ordering: .relaxed) == 1)
    route.finish(at: 3)
  }

  @Test(arguments: [true, false])
  func `a blackout released while the sending thread hangs does not keep LEDs dark`(isSeen: Bool) throws {
    let dimmer = Dimmer()
    let (route, all) = Self.route(.hanging, dimmer)
    let led = LitLed(dimmer)
    try withExtendedLifetime(led) {
      route.leave(led.order)
      led.advance()
      let thread = Self.blackout(dimmer, of: route, all, during: { route.show() })
      if !isSeen { dimmer.isBlackout = false }
      all[0].isFree.store(true, ordering: .releasing)
      try #require(poll { thread.isDone })
      if isSeen {
        // The thread that sends is late, and sees the blackout before the frame thread has the lock.
        led.advance()
        route.show()
        route.goDark(at: 2)
        #expect(all[0].dark.load(ordering: .relaxed) == 1)
        dimmer.isBlackout = false
      }
      let (frames, dark) = (all[0].frames.load(ordering: .relaxed), all[0].dark.load(ordering: .relaxed))
      route.leave(led.order)
      led.advance()
      route.show()
      #expect(all[0].frames.load(ordering: .relaxed) == frames + 1)
      #expect(all[0].dark.load(ordering: .relaxed) == dark)
    }
    route.finish(at: 3)
  }

  @Test func `a reload with fewer LEDs lights none in a blackout that came while a frame hung`() throws {
    let (dimmer, lights, counts) = (Dimmer(), UniverseRoute.KeptLights(), PixelCounts())
    let (route, all) = Self.route(.hanging, dimmer, lights: lights, counts: counts)
    let (next, _) = Self.route(.plain, dimmer, count: 2, lights: lights, counts: counts)
    let led = LitLed(dimmer)
    try withExtendedLifetime((led, next)) {
      route.leave(led.order)
      led.advance()
      let thread = Self.blackout(dimmer, of: route, all, during: { route.show() })
      all[0].isFree.store(true, ordering: .releasing)
      try #require(poll { thread.isDone })
      route.finish(at: 2, kept: [ObjectIdentifier(lights), ObjectIdentifier(next)])
    }
    #expect(all[0].frames.load(ordering: .relaxed) == 1 + UniverseSchedule.repeats)
    #expect(all[0].dark.load(ordering: .relaxed) == UniverseSchedule.repeats)
  }

  @Test func `an end during a frame waits for one packet, and dark frames follow`() throws {
    let least = try shortest(below: 20 * PixelRoute.timeout) {
      let (seconds, first, last) = try end(.endless)
      // A thread that a busy machine does not run within the timeout counts as one that hangs.
      if seconds < PixelRoute.timeout {
        #expect(first.dark.load(ordering: .relaxed) == 3 && last.frames.load(ordering: .relaxed) == 0)
      } else {
        #expect(last.dark.load(ordering: .relaxed) == 3 || first.dark.load(ordering: .relaxed) == 3)
      }
      return seconds
    }
    #expect(least < 20 * PixelRoute.timeout)
  }
}
