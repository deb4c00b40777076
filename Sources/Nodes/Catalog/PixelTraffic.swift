import DMX
import Graphs

/// The network traffic of an output of pixels. [control]
public struct PixelTraffic: Sendable {
  /// Packets per frame, to each of its destinations.
  public let packets: Int
  /// Frames per second when all differ.
  public let rate: Double
  /// Megabits per second to all its destinations, with the overhead of Ethernet.
  public let megabits: Double
  /// The universes that the LEDs fill; nil for a protocol without universes.
  public let universes: ClosedRange<Int>?

  /// Overhead per packet in bytes: Ethernet (14), IPv4 (20), UDP (8), frame check sequence (4), preamble and gap
  /// (20).
  private static let overhead = 66

  /// The traffic of an output of LEDs; nil for any other node.
  public init?(_ node: CheckedNode, fps: FrameRate) {
    let channels = node.inputs.flatMap(\.channels)
    let senders: [(any PixelSender)?] = [
      node.settings(of: DdpOutput.self)?.all, node.settings(of: WledOutput.self)?.all,
      node.settings(of: SacnOutput.self)?.all, node.settings(of: ArtnetOutput.self)?.all,
    ]
    guard let sender = senders.lazy.compactMap(\.self).first else { return nil }
    let sizes = sender.packetSizes(channels)
    guard !sizes.isEmpty else { return nil }
    let most = min(sender.mostFrames ?? fps.perSecond, fps.perSecond)
    packets = sizes.count
    let universes = sender.pixelUniverses(channels)
    self.universes = universes.first.flatMap { first in universes.last.map { first...$0 } }
    // A whole number of frames between two sends: every one, every second, every third …
    self.rate = fps.perSecond / (fps.perSecond / most - 1e-9).rounded(.up)
    let sum = sizes.reduce(0) { $0 + $1 + Self.overhead }
    megabits = Double(8 * sum * sender.to.count) * self.rate / 1e6
  }
}

/// The settings of an output of LEDs that determine its traffic.
private protocol PixelSender {
  /// Its destinations.
  var to: [String] { get }
  /// Maximum frames per second; nil: every frame.
  var mostFrames: Double? { get }
  /// The bytes of each packet of a frame, to one destination.
  func packetSizes(_ channels: [Channel]) -> [Int]
  /// The universes that the LEDs fill; empty for a protocol without universes.
  func pixelUniverses(_ channels: [Channel]) -> [Int]
}

/// The bytes of all LEDs of the channels, and of one LED; nil where there are none.
private func pixelBytes(_ channels: [Channel]) -> (count: Int, each: Int)? {
  let runs = channels.compactMap(\.pixels)
  guard let each = runs.first?.bytes else { return nil }
  return (runs.reduce(0) { $0 + $1.count * $1.bytes }, each)
}

/// The sizes of the packets of a frame of `count` bytes.
private func sizes(
  _ count: Int, _ make: (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Bool) -> Void
) -> [Int] {
  var sizes: [Int] = []
  [UInt8](repeating: 0, count: count).withUnsafeBytes { frame in
    make(frame) { packet in
      sizes.append(packet.count)
      return true
    }
  }
  return sizes
}

extension DdpOutput.Settings: PixelSender {
  fileprivate var mostFrames: Double? { rate }
  fileprivate func pixelUniverses(_ channels: [Channel]) -> [Int] { [] }
  fileprivate func packetSizes(_ channels: [Channel]) -> [Int] {
    guard let bytes = pixelBytes(channels) else { return [] }
    return sizes(bytes.count, DdpPackets(bytes: bytes.each).make)
  }
}

extension WledOutput.Settings: PixelSender {
  fileprivate var mostFrames: Double? { rate }
  fileprivate func pixelUniverses(_ channels: [Channel]) -> [Int] { [] }
  fileprivate func packetSizes(_ channels: [Channel]) -> [Int] {
    guard let bytes = pixelBytes(channels), let mode = self.mode(bytes.count / bytes.each, bytes.each) else {
      return []
    }
    return sizes(bytes.count, WledPackets(mode, first: first, timeout: UInt8(timeout)).make)
  }
}

extension SacnOutput.Settings: PixelSender {
  fileprivate var mostFrames: Double? { rate }
  fileprivate func pixelUniverses(_ channels: [Channel]) -> [Int] { pixelSlots(channels)?.universes ?? [] }
  fileprivate func packetSizes(_ channels: [Channel]) -> [Int] {
    let universes = pixelUniverses(channels).count
    let data = Array(repeating: SacnPacket.size, count: (slotPriorities ? 2 : 1) * universes)
    return universes == 0 || sync == nil ? data : data + [SacnSynchronization.size]
  }
}

extension ArtnetOutput.Settings: PixelSender {
  fileprivate var mostFrames: Double? { rate }
  fileprivate func pixelUniverses(_ channels: [Channel]) -> [Int] { pixelSlots(channels)?.universes ?? [] }
  fileprivate func packetSizes(_ channels: [Channel]) -> [Int] {
    let universes = pixelUniverses(channels).count
    let data = Array(repeating: ArtDmxPacket.size, count: universes)
    return universes == 0 || !sync ? data : data + [ArtNetPackets.sync.count]
  }
}
