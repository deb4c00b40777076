import Engine
import Graphs
import OSC
import Realtime
import Synchronization

/// How the lights of an output stand, and the time of their schedule: kept from plan to plan, and from setting to setting,
/// of which a crossfade makes one in every frame. [frame]
final class OscState: @unchecked Sendable {
  /// A frame, for what comes between it and the next.
  struct Moment {
    /// When it ended, in nanoseconds of the monotonic clock.
    let time: UInt64
    /// Where it ended, in seconds of the timeline.
    let end: Double
    /// How long it was, in seconds.
    let seconds: Double
    let isFreewheeling: Bool
  }

  /// How many levels there are.
  let channels: Int
  /// What they are.
  let type: PortType
  /// The schedule's time. The timeline stands still while no callback runs, but the lights must follow the fall.
  var time = -Double.infinity
  /// The newest frame; nil before the first.
  private(set) var newest: Moment?
  /// The levels of that frame, and what each is while nothing plays.
  let levels: UnsafeMutableBufferPointer<Float>
  let rest: UnsafeMutableBufferPointer<Float>
  /// Whether the dark values of a blackout have been sent.
  var isDark = false
  /// What goes out in the dark, and what goes out now.
  let dark: UnsafeMutableBufferPointer<Float>
  let values: UnsafeMutableBufferPointer<Float>
  /// The largest values of late frames that were not sent, and whether there are any.
  private let peaks: UnsafeMutableBufferPointer<Float>
  private var hasPeaks = false
  /// The first of the values, as bits. [any]
  let first = Atomic<UInt32>(0)

  init(channels: Int, type: PortType) {
    self.channels = channels
    self.type = type
    func floats(_ value: Float) -> UnsafeMutableBufferPointer<Float> {
      let floats = UnsafeMutableBufferPointer<Float>.allocate(capacity: channels)
      floats.initialize(repeating: value)
      return floats
    }
    (levels, rest, values) = (floats(0), floats(0), floats(0))
    (dark, peaks) = (floats(Dimming.dark(type, rest: 0)), floats(-.infinity))
  }

  deinit { for floats in [levels, rest, values, dark, peaks] { floats.deallocate() } }

  /// Takes the levels of a frame, by their numbers, and lets the schedule go on.
  func take(_ frame: Frame, _ inputs: [Int]) {
    time = frame.end > time ? frame.end : time + frame.seconds
    newest = Moment(
      time: frame.header.time, end: frame.end, seconds: frame.seconds, isFreewheeling: frame.isFreewheeling)
    for (channel, input) in inputs.enumerated() {
      levels[channel] = frame.levels[input]
      rest[channel] = frame.rest[input]
    }
  }

  /// A late frame: the lights only get the newest, but a peak must not be lost.
  func remember() {
    for channel in 0..<channels where values[channel] > peaks[channel] { peaks[channel] = values[channel] }
    hasPeaks = true
  }

  /// The peaks of late frames, where one of them is above what goes out now.
  var standingOut: UnsafeBufferPointer<Float>? {
    hasPeaks && (0..<channels).contains { peaks[$0] > values[$0] } ? UnsafeBufferPointer(peaks) : nil
  }

  func forget() {
    guard hasPeaks else { return }
    hasPeaks = false
    peaks.update(repeating: -.infinity)
  }
}

/// Offers the levels of every frame to the targets. [frame]
final class OscFrame: FrameNode, @unchecked Sendable {
  private let id: String
  private let routes: [OscRoute]
  private let inputs: [Int]
  private let type: PortType
  private let sendsInFreewheel: Bool
  /// Brings what goes out down, or holds it in the dark.
  private let dimmer: Dimmer
  /// Stands under that.
  private let master: Float
  /// How each route is sent to, and whether its sender knows.
  private let sending: [SendSettings]
  private var isAdjusted = false
  private let state: OscState
  private let events: OscEvents

  init(_ context: NodeContext<OscOutput.Settings>, routes: [OscRoute]) {
    id = context.id
    self.routes = routes
    let inputs = context.levelInputs[0]
    let type = context.inputs[0].type ?? .level
    (self.inputs, self.type) = (inputs, type)
    sendsInFreewheel = context.settings.all.freewheel == .send
    dimmer = context.configuration.dimmer
    let settings = context.settings.all
    master = settings.master
    sending = settings.to.all.map { $0.sending(over: settings.sending) }
    state = context.keep(if: { $0.channels == inputs.count && $0.type == type }) {
      OscState(channels: inputs.count, type: type)
    }
    events = OscEvents(context)
  }

  func run(_ frame: Frame) {
    state.take(frame, inputs)
    let dimming = takeValues(at: frame.end)
    if frame.isFreewheeling && !sendsInFreewheel { return }
    // Events are happenings, not levels: late ones are told all the same. In the dark a rig would flash on them.
    if !dimming.isDark { events.send(frame, through: routes) }
    if frame.waiting > 0 { return state.remember() }
    for route in routes where route.isLive {
      let deliver = { (packet: UnsafeRawBufferPointer) in route.deliver(packet, at: frame.end) }
      if route.becameReady() { route.sender.sendAll(at: state.time, deliver: deliver) }
      if let peaks = state.standingOut {
        route.sender.sendNow(peaks, at: state.time, deliver: deliver)
        route.sender.sendNow(values, at: state.time, deliver: deliver)
      } else {
        route.sender.offer(values, at: state.time, deliver: deliver)
      }
    }
    state.forget()
  }

  /// Takes the newest levels as the dimmer stands now, which it gives; a blackout that begins is sent.
  @discardableResult
  private func takeValues(at end: Double) -> Dimming {
    adjust()
    // Asked once, so that the channels of a frame agree.
    let dimming = dimmer.now.under(master)
    for channel in inputs.indices {
      let rest = state.rest[channel]
      state.values[channel] = dimming.value(of: state.levels[channel], type, rest: rest)
      state.dark[channel] = Dimming.dark(type, rest: rest)
    }
    if dimming.isBlackout != state.isDark { setLights(dark: dimming.isBlackout, at: end) }
    if let value = values.first { state.first.store(value.bitPattern, ordering: .relaxed) }
    return dimming
  }

  func dim(at now: UInt64) {
    guard let newest = state.newest else { return }
    // The schedule goes on within the frame, and never past its end.
    let passed = now > newest.time ? Double(now - newest.time) * 1e-9 : 0
    state.time = max(state.time, newest.end + min(passed, 0.99 * newest.seconds))
    takeValues(at: newest.end)
    if newest.isFreewheeling && !sendsInFreewheel { return }
    for route in routes where route.isLive {
      route.sender.offer(values, at: state.time) { route.deliver($0, at: newest.end) }
    }
  }

  func rest(for seconds: Double) {
    guard type == .level else { return }
    state.time = max(0, state.time) + seconds
    // All are 0 before the first frame, whatever the graph before this one has left.
    for route in routes where route.isLive {
      let deliver = { (packet: UnsafeRawBufferPointer) in route.deliver(packet, at: 0) }
      if route.becameReady() { route.sender.sendAll(at: state.time, deliver: deliver) }
      route.sender.offer(darkValues, at: state.time, deliver: deliver)
    }
  }

  /// Lets senders that are kept from plan to plan know how they send now. Here, as they are of the frame thread.
  private func adjust() {
    if isAdjusted { return }
    isAdjusted = true
    for (route, settings) in zip(routes, sending) { route.sender.adjust(to: settings) }
  }

  /// A blackout is sent past every limit, also in late frames and while the host runs faster than time.
  private func setLights(dark: Bool, at end: Double) {
    state.isDark = dark
    guard dark else { return }
    state.forget()
    for route in routes where route.isLive {
      _ = route.becameReady()
      route.sender.sendAll(darkValues, at: state.time) { route.deliver($0, at: end) }
    }
  }

  private var values: UnsafeBufferPointer<Float> { UnsafeBufferPointer(state.values) }
  private var darkValues: UnsafeBufferPointer<Float> { UnsafeBufferPointer(state.dark) }

  func end(at seconds: Double, kept: Set<ObjectIdentifier>) {
    // Another schedule for the same lights takes them over as they are.
    for route in routes where route.isLive && !kept.contains(ObjectIdentifier(route.lights)) {
      route.sender.finish(darkValues, at: seconds) { route.deliver($0, at: seconds) }
    }
  }

  var report: [NodeReport] {
    let value = Float(bitPattern: state.first.load(ordering: .relaxed))
    return routes.map { $0.report(id: id, value: value) }
  }
}

/// Sends events: one message each, with the number 1. [frame]
struct OscEvents {
  /// The event outputs that are heard, by number, and the ids of their nodes.
  private let heard: [Int: String]
  /// The names of their channels.
  private let names: [Int: [String?]]
  private let node: String
  private let template: String

  init(_ context: NodeContext<OscOutput.Settings>) {
    heard = context.eventInputs[1]
    names = context.eventNames[1]
    node = context.id
    template = context.settings.all.eventAddress
  }

  /// The address template for events of a name; `{event}` is of events alone.
  static func template(_ text: String, event: String) throws(OSCError) -> AddressTemplate {
    try AddressTemplate(text.replacing("{event}", with: event))
  }

  func send(_ frame: Frame, through routes: [OscRoute]) {
    guard !heard.isEmpty else { return }
    for event in frame.events.all {
      guard let source = heard[event.output] else { continue }
      let known = names[event.output] ?? []
      let name = known.indices.contains(event.channel) ? known[event.channel] : nil
      let values = AddressTemplate.Values(
        node: node, source: source, channel: event.channel + 1, name: name ?? "\(event.channel + 1)")
      // The template was checked with the graph file.
      guard let address = try? Self.template(template, event: event.name).expand(values),
        let packet = try? Message(address, arguments: [.int(1)]).packet()
      else { continue }
      packet.withUnsafeBytes { bytes in
        for route in routes where route.isLive { route.deliver(bytes, at: frame.end) }
      }
    }
  }
}
