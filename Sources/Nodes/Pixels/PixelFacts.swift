import DMX
import Graphs
import Rendering

/// The current of the LEDs of a node. [control]
public struct LedCurrent: Sendable {
  /// The most that they take at full brightness, as the settings of current say; no limit counted.
  public let most: Double
  /// What the node holds it below; nil where it has no limit.
  public let limit: Double?

  /// Of a node `pixels`; nil of any other.
  public init?(_ node: CheckedNode) {
    guard let settings = node.settings(of: Pixels.self)?.all, let count = settings.layout.count else {
      return nil
    }
    let isWhite = settings.colors.contains("W")
    let colors = 3 * settings.current
    let lit =
      switch settings.white {
      case .none: colors
      case _ where !isWhite: colors
      case .keep: colors + settings.whiteCurrent
      // White takes the place of what all three have in common: two of them stay.
      case .subtract: max(2 * settings.current, settings.whiteCurrent)
      }
    most = Double(count) * (lit + settings.darkCurrent)
    limit = settings.limit
  }
}

/// What an output of pixels sends. [control]
public struct PixelTraffic: Sendable {
  /// Packets of a frame, to each of its destinations.
  public let packets: Int
  /// Frames a second where every one differs.
  public let rate: Double
  /// To all its destinations, with all that Ethernet adds to a packet.
  public let megabits: Double

  /// The heads of Ethernet, IPv4 and UDP, the check sum, and the pause between two packets, in bytes.
  private static let head = 66

  /// Of an output whose packets are known; nil of any other.
  public init?(_ node: CheckedNode, fps: FrameRate) {
    let runs = node.inputs.flatMap(\.channels).compactMap(\.pixels)
    guard let settings = node.settings(of: DdpOutput.self)?.all, let bytes = runs.first?.bytes else {
      return nil
    }
    let count = runs.reduce(0) { $0 + $1.count * $1.bytes }
    let frame = [UInt8](repeating: 0, count: count)
    var (packets, sum) = (0, 0)
    frame.withUnsafeBytes { frame in
      DdpPackets(bytes: bytes).make(of: frame) { packet in
        packets += 1
        sum += packet.count + Self.head
      }
    }
    let most = min(settings.rate ?? fps.perSecond, fps.perSecond)
    self.packets = packets
    // Frames are sent evenly: every one, every second, third …
    rate = fps.perSecond / (fps.perSecond / most - 1e-9).rounded(.up)
    megabits = Double(8 * sum * settings.to.count) * rate / 1e6
  }
}
