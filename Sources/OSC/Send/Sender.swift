import Synchronization

/// Turns the values of each frame into the packets that are due, by rate, change and repeat. [frame]
///
/// It has no socket and no clock: finished packets go to `deliver` and are valid only during that call. Nothing is
/// allocated after `init`. One sender serves one target; it is used by one thread at a time.
public final class Sender {
  /// How many values an `offer` takes.
  public let channels: Int

  private let settings: SendSettings
  private let throttle: SendThrottle
  private var packets: PreparedPackets
  /// What leaves for the values of a moment, where that is something else.
  private let converted: UnsafeMutableBufferPointer<Float>
  private var isFinished = false
  private let packetCount = Atomic<UInt64>(0)
  private let messageCount = Atomic<UInt64>(0)
  private let heldCount = Atomic<UInt64>(0)

  /// Encodes all packets. [control]
  /// - Parameters:
  ///   - addresses: one for each channel, all different unless their arguments are; a single one when `settings.send` is `vector`.
  ///   - channels: the number of values; of use for `vector` only.
  ///   - places: what placeholders in `settings.arguments` are filled with, one for each address.
  public init(
    addresses: [String], channels: Int, settings: SendSettings, places: [AddressTemplate.Values] = []
  ) throws(OSCError) {
    try settings.check()
    let isVector = settings.send == .vector
    let needed = isVector ? 1 : channels
    guard channels > 0, addresses.count == needed else {
      throw .addressCount(given: addresses.count, needed: max(needed, 1))
    }
    let template = try ArgumentTemplate(settings.arguments, form: settings.argument)
    let filling = addresses.indices.map { index in
      index < places.count
        ? places[index] : AddressTemplate.Values(node: "", source: "", channel: index + 1, name: "")
    }
    let arguments = filling.map(template.filled)
    var seen: [String: Int] = [:]
    for (index, address) in addresses.enumerated() {
      if let first = seen.updateValue(index, forKey: "\(address) \(template.text(filling[index]))") {
        throw .equalAddresses(address, first: first, second: index)
      }
    }
    packets = try PreparedPackets(
      addresses: addresses, width: isVector ? channels : 1, form: template.form, arguments: arguments,
      limit: settings.packet)
    converted = .allocate(capacity: settings.isPlain ? 0 : channels)
    converted.initialize(repeating: .nan)
    throttle = SendThrottle(units: needed, width: isVector ? channels : 1, settings: settings)
    self.channels = channels
    self.settings = settings
  }

  deinit { converted.deallocate() }

  /// What leaves for some values; valid until the next time.
  private func convert(_ values: UnsafeBufferPointer<Float>) -> UnsafeBufferPointer<Float> {
    guard !converted.isEmpty else { return values }
    let count = min(values.count, converted.count)
    for index in 0..<count { converted[index] = settings.sent(values[index]) }
    return UnsafeBufferPointer(rebasing: converted[..<count])
  }

  /// Sends by another rate, change and repeat from now on; all else stays as it was made. [frame]
  public func adjust(to settings: SendSettings) { throttle.adjust(to: settings) }

  /// How much was handed over so far. [any]
  public var counts: SendCounts {
    SendCounts(
      packets: packetCount.load(ordering: .relaxed), messages: messageCount.load(ordering: .relaxed),
      held: heldCount.load(ordering: .relaxed))
  }

  private func count(packets: Int = 0, messages: Int = 0) {
    if packets > 0 { packetCount.add(UInt64(packets), ordering: .relaxed) }
    if messages > 0 { messageCount.add(UInt64(messages), ordering: .relaxed) }
    if throttle.held > 0 { heldCount.add(UInt64(throttle.held), ordering: .relaxed) }
  }

  /// Offers the values of a frame; what is due is delivered. [frame]
  ///
  /// The first change after rest goes at once, then at most `rate` occasions a second take all that changed; the last
  /// value is never lost. NaN leaves the value before it; missing values too. Values are not clamped here.
  /// - Parameter seconds: the frame's end on the timeline.
  public func offer(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    let isDue = throttle.offer(convert(values), at: seconds, urgent: false)
    dispatch(isDue, deliver)
  }

  /// Delivers at once what differs from the values sent last, past the rate (and counted for it). [frame]
  ///
  /// For late frames: a peak that came between first, then the newest values.
  public func sendNow(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    let isDue = throttle.offer(convert(values), at: seconds, urgent: true)
    dispatch(isDue, deliver)
  }

  /// Delivers the newest value of every channel once more, as after `Target.becameReady()`. [frame]
  public func sendAll(at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void) {
    let isDue = throttle.offerAll(at: seconds)
    dispatch(isDue, deliver)
  }

  /// Delivers these values for every channel, past the rate and whether or not they differ: a blackout. [frame]
  public func sendAll(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    throttle.set(convert(values))
    let isDue = throttle.offerAll(at: seconds)
    dispatch(isDue, deliver)
  }

  /// The end: these last values on every channel if the settings say so (`zeroOnStop`); a second call does nothing.
  /// [frame]
  public func finish(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    guard !isFinished else { return }
    isFinished = true
    if settings.zeroOnStop { sendAll(values, at: seconds, deliver: deliver) }
  }

  private func dispatch(_ isDue: Bool, _ deliver: (UnsafeRawBufferPointer) -> Void) {
    guard isDue else { return count() }
    let bundles = settings.bundle == .immediate
    var messages = 0
    var sent = 0
    for unit in 0..<throttle.units where throttle.due[unit] != 0 {
      packets.patch(unit, from: throttle.current + unit * throttle.width)
      throttle.note(sent: unit)
      messages += 1
      if bundles {
        sent += packets.gather(unit, deliver: deliver)
      } else {
        deliver(packets.message(unit))
        sent += 1
      }
    }
    if bundles { sent += packets.flush(deliver: deliver) }
    count(packets: sent, messages: messages)
  }
}
