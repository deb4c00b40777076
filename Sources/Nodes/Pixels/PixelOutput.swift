import Engine
import Graphs

/// The frame half of an output of pixels: blackout, end and reports. [frame]
final class PixelOutputFrame: FrameNode {
  private let id: String
  private let route: PixelRoute
  private let order: PixelOrder
  private let dimmer: Dimmer
  private let sample: String
  private let time: SceneTime
  /// The length of a frame, in seconds.
  private let seconds: Double
  /// Called before the first frame of a plan; objects kept from the plan before get their new settings here.
  private var begin: (() -> Void)?
  private let eachFrame: (OutputMoment) -> Void
  /// The end of the newest frame, in seconds of the timeline.
  private var end = 0.0

  init<Settings>(
    _ context: NodeContext<Settings>, _ route: PixelRoute, _ settings: PixelSendSettings,
    begin: @escaping () -> Void, eachFrame: @escaping (OutputMoment) -> Void
  ) {
    (id, self.route, self.begin, self.eachFrame) = (context.id, route, begin, eachFrame)
    order = PixelOrder(settings: settings, sources: PixelSources(context.pictures, context.inputs[0]))
    dimmer = context.configuration.dimmer
    let count = context.inputs[0].channels.compactMap(\.pixels).reduce(0) { $0 + $1.count }
    sample = "\(count) \(count == 1 ? "LED" : "LEDs")"
    time = context.keep { SceneTime() }
    seconds = 1 / context.fps.perSecond
  }

  func run(_ frame: Frame) {
    end = frame.end
    begin?()
    begin = nil
    time.advance(frame)
    route.leave(order)
    if dimmer.isBlackout { route.goDark(at: end) }
    if frame.isFreewheeling && !order.settings.sendsInFreewheel { return }
    eachFrame(OutputMoment(schedule: time.seconds, end: end, frame: seconds))
  }

  func dim(at now: UInt64) { if dimmer.isBlackout { route.goDark(at: end) } }

  func rest(for seconds: Double) { route.rest(for: seconds) }

  var sends: SentKind? { .light }

  func end(at seconds: Double, kept: Set<ObjectIdentifier>) {
    route.finish(at: seconds, kept: kept)
  }

  var report: [NodeReport] { route.report(id: id, sample: sample) }
}

/// Sends the pixels of an output after they are drawn. [scene]
final class PixelOutputScene: SceneNode {
  let route: PixelRoute

  init(_ route: PixelRoute) { self.route = route }

  var moves: Bool { false }
  func advance() {}
  func show() { route.show() }
  func takeMessages() -> [String] { [] }
}

extension NodeContext {
  /// The parts of an output that sends pixels by a route; `eachFrame` is called after every frame. [control]
  func pixelParts(
    _ route: PixelRoute, _ settings: PixelSendSettings,
    begin: @escaping () -> Void = {}, eachFrame: @escaping (OutputMoment) -> Void = { _ in }
  ) -> NodeParts {
    NodeParts(
      frame: PixelOutputFrame(self, route, settings, begin: begin, eachFrame: eachFrame),
      scene: keep(if: { (scene: PixelOutputScene) in scene.route === route }) { PixelOutputScene(route) })
  }

  /// The bytes of the LEDs that are wired to it. [control]
  var pixelBytes: Int { inputs[0].channels.compactMap(\.pixels).reduce(0) { $0 + $1.count * $1.bytes } }

  /// The route of pixels of a node, which is kept from plan to plan while the same `key`, the same `packing` and the
  /// same LEDs are requested. In a new route with the same `key`, universes and devices that the plan before had stay
  /// lit. [control]
  func pixelRoute(_ key: String, packing: String = "", by delivery: PixelDelivery) -> PixelRoute {
    let count = pixelBytes
    // The same number of bytes may belong to LEDs of another kind.
    let runs = inputs[0].channels.compactMap(\.pixels).map { "\($0.count)x\($0.bytes)" }
    let routeKey = "\(key) \(packing) \(runs.joined(separator: " "))"
    let lights = delivery.universes?.map { keptLights("\(key) \($0)") } ?? [keptLights(key)]
    let counts: PixelCounts? =
      delivery.universes == nil ? share("LED counts of \(id) \(key)") { PixelCounts() } : nil
    return keep(if: { (route: PixelRoute) in route.key == routeKey }) {
      PixelRoute(
        routeKey, count: count, dimmer: configuration.dimmer, lights: lights, counts: counts, by: delivery)
    }
  }
}
