import Engine
import Graphs
import NIOCore
import Nodes
import Particles
import Rendering

/// Sends LEDs to pages: their positions, and their colors ten times a second. [view]
final class LedHub {
  /// The maximum number of LEDs that a page is sent; of more, every second, third and so on.
  static let most = 16_384
  /// The interval of colors, in s.
  static let pause = 0.1

  private var viewers: [ObjectIdentifier: (client: ViewClient, id: String)] = [:]
  private var plan: Int?
  private var next = 0.0

  /// Sends a client the LEDs of a node from now on; nil: none.
  func join(_ client: ViewClient, _ id: String?, _ plan: CompiledPlan?) {
    // `join` sends the positions of this plan, so `look` need not.
    if viewers.isEmpty { self.plan = plan?.number }
    viewers[ObjectIdentifier(client)] = id.map { (client, $0) }
    if let id, let leds = plan?.leds.first(where: { $0.id == id }) { Self.sendPlaces(leds, plan, to: client) }
  }

  /// A client has disconnected.
  func leave(_ client: ViewClient) { viewers[ObjectIdentifier(client)] = nil }

  /// Called 60 times a second. Sends positions after a change of plan, and new colors. While no client is left, the
  /// scenes store no colors.
  func look(_ plan: CompiledPlan?, at time: Double) {
    guard !viewers.isEmpty, let plan else { return }
    let wanted = Set(viewers.values.map(\.id))
    let leds = plan.leds.filter { wanted.contains($0.id) }
    if self.plan != plan.number {
      self.plan = plan.number
      for viewer in viewers.values {
        for scene in leds where scene.id == viewer.id { Self.sendPlaces(scene, plan, to: viewer.client) }
      }
    }
    for scene in leds {
      guard let colors = scene.takeColors() else { continue }
      let record = Self.record(of: colors)
      for viewer in viewers.values where viewer.id == scene.id && viewer.client.isReady {
        viewer.client.send(record, isText: false)
      }
    }
    guard time >= next else { return }
    next = time + Self.pause
    for scene in leds { scene.keepColors(most: Self.most) }
  }

  private static func sendPlaces(_ leds: PixelsScene, _ plan: CompiledPlan?, to client: ViewClient) {
    guard let stage = plan?.graph.stage else { return }
    client.send(
      record(of: leds.places, width: Double(stage.width), height: Double(stage.height)), isText: false)
  }

  /// The record of positions.
  static func record(of places: [LedPlace?], width: Double, height: Double) -> ByteBuffer {
    let step = LedBytes.step(places.count, most: most)
    let sent = stride(from: 0, to: places.count, by: step).map { places[$0] }
    let known = places.compactMap(\.self)
    var head = LedPlacesHead(count: UInt32(places.count), step: UInt32(step))
    head.width = Float((known.map(\.width).min() ?? 0) / width)
    head.height = Float((known.map(\.height).min() ?? 0) / height)
    var buffer = ByteBuffer(bytes: PageRecord.ledPlaces.bytes({ head.code(&$0) }, rest: 4 * sent.count))
    let nowhere = LedPlacesHead.nowhere
    func part(_ place: Double, _ of: Double) -> UInt16 {
      UInt16(max(0, min(1, place / of)) * Double(nowhere - 1))
    }
    for place in sent {
      buffer.writeInteger(place.map { part($0.x, width) } ?? nowhere, endianness: .little)
      buffer.writeInteger(place.map { part($0.y, height) } ?? nowhere, endianness: .little)
    }
    return buffer
  }

  /// The record of colors.
  static func record(of colors: [UInt8]) -> ByteBuffer {
    ByteBuffer(bytes: PageRecord.ledColors.bytes({ $0.bytes = colors }))
  }
}
