import Synchronization

/// Makes packets of the values of each frame, by rate, change and repeat. [frame]
///
/// It has no socket and no clock: packets are passed to `deliver`, and are valid only during that call. It allocates
/// nothing after `init`. One sender serves one target, and is used by one thread at a time.
public final class Sender {
  /// The number of values that an `offer` takes.
  public let channels: Int

  private let settings: SendSettings
  private let throttle: SendThrottle
  private var packets: PreparedPackets
  /// The buffer for converted values; empty where values are sent as they are.
  private let converted: UnsafeMutableBufferPointer<Float>
  private var isFinished = false
  private let packetCount = Atomic<UInt64>(0)
  private let messageCount = Atomic<UInt64>(0)
  private let heldCount = Atomic<UInt64>(0)

  /// Encodes all packets. [control]
  /// - Parameters:
  ///   - addresses: one for each channel; two may be equal if their arguments differ. A single one with `settings.send`
  ///     at `vector`.
  ///   - channels: the number of values in an `offer`, from 1; without `vector` also the number of addresses.
  ///   - places: the values of placeholders in `settings.arguments`, one for each address.
  public init(
    addresses: [String], channels: Int, settings: SendSettings, places: [AddressTemplate.Values] = []
  ) throws(OSCError) {
    try settings.check()
    guard channels > 0 else {
      throw .setting(name: "channels", value: Double(channels), allowed: "1 or more")
    }
    let isVector = settings.send == .vector
    let needed = isVector ? 1 : channels
    guard addresses.count == needed else {
      throw .addressCount(given: addresses.count, needed: needed)
    }
    let template = try ArgumentTemplate(settings.arguments, form: settings.argument)
    let placeholderValues = addresses.indices.map { index in
      index < places.count
        ? places[index] : AddressTemplate.Values(node: "", source: "", channel: index + 1, name: "")
    }
    let arguments = placeholderValues.map(template.filled)
    var seen: [String: Int] = [:]
    for (index, address) in addresses.enumerated() {
      if let first = seen.updateValue(index, forKey: "\(address) \(template.text(placeholderValues[index]))")
      {
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

  /// Converts values to those that are sent; valid until the next call.
  private func convert(_ values: UnsafeBufferPointer<Float>) -> UnsafeBufferPointer<Float> {
    guard !converted.isEmpty else { return values }
    let count = min(values.count, converted.count)
    for index in 0..<count { converted[index] = settings.sent(values[index]) }
    return UnsafeBufferPointer(rebasing: converted[..<count])
  }

  /// Sets the rate, the least change and the repeat interval; the other settings stay. [frame]
  public func adjust(to settings: SendSettings) { throttle.adjust(to: settings) }

  /// Counts of what was delivered. [any]
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

  /// Offers the values of a frame, and delivers the messages that are due. [frame]
  ///
  /// The first change after a rest is sent at once; then all changed values are sent at most `rate` times a second. The
  /// last value is never lost. NaN and missing values keep the value before. Values are not clamped.
  /// - Parameter seconds: the frame's end on the timeline.
  public func offer(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    let isDue = throttle.offer(convert(values), at: seconds, urgent: false)
    dispatch(isDue, deliver)
  }

  /// Delivers at once, without waiting for the rate limit, all values that differ from those sent last. The next send
  /// waits for the rate limit after this one. [frame]
  ///
  /// For late frames: first their peaks, then the newest values.
  public func sendNow(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    let isDue = throttle.offer(convert(values), at: seconds, urgent: true)
    dispatch(isDue, deliver)
  }

  /// Delivers the newest value of every channel again, for instance when `Target.timesReady` has grown. [frame]
  public func sendAll(at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void) {
    let isDue = throttle.offerAll(at: seconds)
    dispatch(isDue, deliver)
  }

  /// Delivers these values on every channel, without waiting for the rate limit and whether or not they differ: a
  /// blackout. [frame]
  public func sendAll(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    throttle.set(convert(values))
    let isDue = throttle.offerAll(at: seconds)
    dispatch(isDue, deliver)
  }

  /// Ends the sending: delivers these values on every channel if the settings say so (`zeroOnStop`). A second call
  /// does nothing. [frame]
  public func finish(
    _ values: UnsafeBufferPointer<Float>, at seconds: Double, deliver: (UnsafeRawBufferPointer) -> Void
  ) {
    guard !isFinished else { return }
    isFinished = true
    if settings.zeroOnStop { sendAll(values, at: seconds, deliver: deliver) }
  }

  /// Delivers the units that are due.
  private func dispatch(_ isDue: Bool, _ deliver: (UnsafeRawBufferPointer) -> Void) {
    guard isDue else { return count() }
    let isBundled = settings.bundle == .immediate
    var messages = 0
    var sentPackets = 0
    for unit in 0..<throttle.units where throttle.due[unit] != 0 {
      packets.patch(unit, from: throttle.current + unit * throttle.width)
      throttle.note(sent: unit)
      messages += 1
      if isBundled {
        sentPackets += packets.gather(unit, deliver: deliver)
      } else {
        deliver(packets.message(unit))
        sentPackets += 1
      }
    }
    if isBundled { sentPackets += packets.flush(deliver: deliver) }
    count(packets: sentPackets, messages: messages)
  }
}
