@testable import OSC

/// A sender with a frame counter that keeps the packets sent: frame n ends at n ÷ fps seconds.
final class Recorder {
  let sender: Sender
  let fps: Double
  private(set) var packets: [(frame: Int, bytes: [UInt8])] = []

  init(
    fps: Double = 60, addresses: [String] = ["/v"], channels: Int? = nil,
    _ change: (inout SendSettings) -> Void = { _ in }
  ) throws {
    var settings = SendSettings()
    settings.repeatInterval = 0
    change(&settings)
    sender = try Sender(addresses: addresses, channels: channels ?? addresses.count, settings: settings)
    self.fps = fps
  }

  func offer(_ values: [Float], frame: Int) {
    values.withUnsafeBufferPointer { sender.offer($0, at: Double(frame) / fps) { keep($0, frame) } }
  }

  func sendNow(_ values: [Float], frame: Int) {
    values.withUnsafeBufferPointer { sender.sendNow($0, at: Double(frame) / fps) { keep($0, frame) } }
  }

  func sendAll(frame: Int) { sender.sendAll(at: Double(frame) / fps) { keep($0, frame) } }
  func sendAll(_ values: [Float], frame: Int) {
    values.withUnsafeBufferPointer { sender.sendAll($0, at: Double(frame) / fps) { keep($0, frame) } }
  }
  func finish(frame: Int) {
    let zeros = [Float](repeating: 0, count: sender.channels)
    zeros.withUnsafeBufferPointer { sender.finish($0, at: Double(frame) / fps) { keep($0, frame) } }
  }

  /// The frames in which packets were sent.
  var frames: [Int] { packets.map(\.frame) }

  /// The packets sent, as `frame:/address values`.
  var log: [String] {
    packets.flatMap { packet -> [String] in
      guard let read = try? PacketReader().read(packet.bytes) else { return ["unreadable"] }
      return read.messages.map { message in
        let values = message.arguments.map { if case .float(let value) = $0 { "\(value)" } else { "?" } }
        return "\(packet.frame):\(message.address) " + values.joined(separator: " ")
      }
    }
  }

  func clear() { packets = [] }

  private func keep(_ bytes: UnsafeRawBufferPointer, _ frame: Int) { packets.append((frame, Array(bytes))) }
}
