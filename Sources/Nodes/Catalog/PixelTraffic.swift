import DMX
import Graphs

/// What an output of pixels sends. [control]
public struct PixelTraffic: Sendable {
  /// Packets of a frame, to each of its destinations.
  public let packets: Int
  /// Frames a second where every one differs.
  public let rate: Double
  /// To all its destinations, with all that Ethernet adds to a packet.
  public let megabits: Double
  /// The universes that the LEDs fill; nil of a protocol without any.
  public let universes: ClosedRange<Int>?

  /// The heads of Ethernet, IPv4 and UDP, the check sum, and the pause between two packets, in bytes.
  private static let head = 66

  /// Of an output of LEDs; nil of any other.
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
    // Frames are sent evenly: every one, every second, third …
    self.rate = fps.perSecond / (fps.perSecond / most - 1e-9).rounded(.up)
    let sum = sizes.reduce(0) { $0 + $1 + Self.head }
    megabits = Double(8 * sum * sender.to.count) * self.rate / 1e6
  }
}

/// The settings of an output of LEDs, as far as they say what it sends.
private protocol PixelSender {
  /// Its destinations.
  var to: [String] { get }
  /// Frames a second at most; nil: as many as there are.
  var mostFrames: Double? { get }
  /// The bytes of each packet of a frame, to one destination.
  func packetSizes(_ channels: [Channel]) -> [Int]
  /// The universes that LEDs fill; none of a protocol without any.
  func pixelUniverses(_ channels: [Channel]) -> [Int]
}

/// How many bytes the LEDs of channels have; nil where there are none.
private func pixelBytes(_ channels: [Channel]) -> (count: Int, each: Int)? {
  let runs = channels.compactMap(\.pixels)
  guard let each = runs.first?.bytes else { return nil }
  return (runs.reduce(0) { $0 + $1.count * $1.bytes }, each)
}

/// The sizes of what is made of a dark frame.
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
