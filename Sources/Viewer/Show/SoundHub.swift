import Engine
import NIOCore
import Realtime

/// Sends the samples of channels to the pages that show them. [view]
final class SoundHub {
  /// The maximum number of samples in a message.
  private static let most = 4096

  private var viewers: [ObjectIdentifier: (client: ViewClient, channel: SoundChannel)] = [:]
  private var taps: [SoundChannel: Realtime.SampleTap] = [:]
  private var plan: Int?

  /// Sends a client the samples of a channel from now on; nil: none. False if there are no probes left.
  func join(_ client: ViewClient, _ channel: SoundChannel?, _ plan: CompiledPlan?) -> Bool {
    let key = ObjectIdentifier(client)
    var wanted = viewers
    wanted[key] = channel.map { (client, $0) }
    guard Set(wanted.values.map(\.channel)).count <= CompiledPlan.mostProbes else { return false }
    viewers = wanted
    follow(plan)
    return true
  }

  /// A client has disconnected.
  func leave(_ client: ViewClient, _ plan: CompiledPlan?) {
    if viewers[ObjectIdentifier(client)] != nil { _ = join(client, nil, plan) }
  }

  /// Called 60 times a second. Follows a change of plan, and sends new samples.
  func look(_ plan: CompiledPlan?) {
    guard !viewers.isEmpty else { return }
    if self.plan != plan?.number { follow(plan) }
    guard let plan else { return }
    for (channel, tap) in taps {
      for record in Self.records(of: tap.reader, rate: UInt32(clamping: plan.plan.pointee.rate)) {
        for viewer in viewers.values where viewer.channel == channel && viewer.client.isReady {
          viewer.client.send(record, isText: false)
        }
      }
    }
  }

  private func follow(_ plan: CompiledPlan?) {
    let before = self.plan == plan?.number ? taps : [:]
    self.plan = plan?.number
    taps = plan?.look(at: Array(Set(viewers.values.map(\.channel)))) ?? [:]
    // Samples in a tap that is new here may belong to another channel.
    for (channel, tap) in taps where before[channel] !== tap { tap.reader.release(before: .max) }
  }

  /// Records of all new samples, the oldest first. Long cycles, or samples that have waited, need several.
  static func records(of reader: SampleTapReader, rate: UInt32) -> [ByteBuffer] {
    let places = reader.places
    defer { reader.release(before: places.upperBound) }
    return stride(from: places.lowerBound, to: places.upperBound, by: most).map { first in
      record(of: reader, at: first, count: min(most, Int(places.upperBound - first)), rate: rate)
    }
  }

  private static func record(of reader: SampleTapReader, at first: Int64, count: Int, rate: UInt32)
    -> ByteBuffer
  {
    var head = SamplesHead(rate: rate, first: first)
    let bytes = PageRecord.samples.bytes({ head.code(&$0) }, rest: 4 * count)
    var buffer = ByteBufferAllocator().buffer(capacity: bytes.count + 4 * count)
    buffer.writeBytes(bytes)
    let samples = [Float](unsafeUninitializedCapacity: count) { samples, initialized in
      if let base = samples.baseAddress { reader.read(channel: 0, at: first, into: base, count: count) }
      initialized = count
    }
    _ = samples.withUnsafeBytes { buffer.writeBytes($0) }
    return buffer
  }
}
