import Engine
import System

/// How an output sends its pixels; all of it may change while a route runs.
struct PixelSendSettings: Sendable {
  /// Maximum frames per second; nil: every frame.
  var rate: Double?
  var isDarkAtEnd = true
  var sendsInFreewheel = false
  /// The master of this output, 0…1.
  var master: Float = 1
}

/// The sources of pixels and the settings of sending, which the frame thread passes to the scene thread.
struct PixelOrder {
  let settings: PixelSendSettings
  let sources: PixelSources
}

/// The destinations of pixels, and the packets for them.
struct PixelDelivery {
  let destinations: [PacketDestination]
  /// The universes in the order of the outlets of each destination; nil: each outlet is a device.
  var universes: [Int]?
  /// Makes devices show the packets of a frame at one time; nil: they show each as it arrives.
  var synchronize: ((_ seconds: Double) -> Void)?
  let packets: () -> any PixelPackets
}

/// The bytes of all routes of a device. A route that ends finds out from it which LEDs the next one does not send.
final class PixelCounts: Sendable {
  private let counts = Locked<[ObjectIdentifier: Int]>([:])

  /// Notes the bytes of a route. [control]
  func note(_ count: Int, of route: ObjectIdentifier) { counts.withLock { $0[route] = count } }

  /// Forgets a route that is freed. [any]
  func forget(_ route: ObjectIdentifier) { counts.withLock { $0[route] = nil } }

  /// The bytes of the route among the objects of a plan; nil: it has none. [frame]
  func count(ofRouteIn kept: Set<ObjectIdentifier>) -> Int? {
    counts.withLock { counts in counts.first { kept.contains($0.key) }?.value }
  }
}
