import Engine
import Graphs
import OSC
import Realtime
import Synchronization

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
  /// Whether the dark values of a blackout have been sent.
  private var isDark = false
  /// What goes out in the dark.
  private let dark: UnsafeMutableBufferPointer<Float>
  private let values: UnsafeMutableBufferPointer<Float>
  /// The largest values of late frames that were not sent, and whether there are any.
  private let peaks: UnsafeMutableBufferPointer<Float>
  private var hasPeaks = false
  /// The schedule's time. The timeline stands still while no callback runs, but the lights must follow the fall.
  private var time = -Double.infinity
  /// The newest frame, for what comes between it and the next; nil before the first.
  private var newest: Frame?
  private let first = Atomic<UInt32>(0)
  private let events: OscEvents

  init(_ context: NodeContext<OscOutput.Settings>, routes: [OscRoute]) {
    id = context.id
    self.routes = routes
    inputs = context.levelInputs[0]
    type = context.inputs[0].type ?? .level
    sendsInFreewheel = context.settings.all.freewheel == .send
    dimmer = context.configuration.dimmer
    let settings = context.settings.all
    master = settings.master
    sending = settings.to.all.map { $0.sending(over: settings.sending) }
    values = .allocate(capacity: max(1, inputs.count))
    values.initialize(repeating: 0)
    dark = .allocate(capacity: max(1, inputs.count))
    dark.initialize(repeating: Dimming.dark(type, rest: 0))
    peaks = .allocate(capacity: max(1, inputs.count))
    peaks.initialize(repeating: -.infinity)
    events = OscEvents(context)
  }

  deinit {
    values.deallocate()
    dark.deallocate()
    peaks.deallocate()
  }

  func run(_ frame: Frame) {
    time = frame.end > time ? frame.end : time + frame.seconds
    newest = frame
    let dimming = takeValues(frame)
    if frame.isFreewheeling && !sendsInFreewheel { return }
    // Events are happenings, not levels: late ones are told all the same. In the dark a rig would flash on them.
    if !dimming.isDark { events.send(frame, through: routes) }
    if frame.waiting > 0 { return remember() }
    let current = UnsafeBufferPointer(rebasing: values.prefix(inputs.count))
    for route in routes where route.isLive {
      let deliver = { (packet: UnsafeRawBufferPointer) in route.deliver(packet, at: frame.end) }
      if route.becameReady() { route.sender.sendAll(at: time, deliver: deliver) }
      if hasPeaks && peaksStandOut {
        route.sender.sendNow(
          UnsafeBufferPointer(rebasing: peaks.prefix(inputs.count)), at: time, deliver: deliver)
        route.sender.sendNow(current, at: time, deliver: deliver)
      } else {
        route.sender.offer(current, at: time, deliver: deliver)
      }
    }
    forget()
  }

  /// Takes the levels of a frame as the dimmer stands now, which it gives; a blackout that begins is sent.
  @discardableResult
  private func takeValues(_ frame: Frame) -> Dimming {
    adjust()
    // Asked once, so that the channels of a frame agree.
    let dimming = dimmer.now.under(master)
    for (channel, input) in inputs.enumerated() {
      values[channel] = dimming.value(of: frame.levels[input], type, rest: frame.rest[input])
      dark[channel] = Dimming.dark(type, rest: frame.rest[input])
    }
    if dimming.isBlackout != isDark { setLights(dark: dimming.isBlackout, frame) }
    if let value = values.first { first.store(value.bitPattern, ordering: .relaxed) }
    return dimming
  }

  func dim(at now: UInt64) {
    guard let frame = newest else { return }
    // The schedule goes on within the frame, and never past its end.
    let passed = now > frame.header.time ? Double(now - frame.header.time) * 1e-9 : 0
    time = max(time, frame.end + min(passed, 0.99 * frame.seconds))
    takeValues(frame)
    if frame.isFreewheeling && !sendsInFreewheel { return }
    let current = UnsafeBufferPointer(rebasing: values.prefix(inputs.count))
    for route in routes where route.isLive {
      route.sender.offer(current, at: time) { route.deliver($0, at: frame.end) }
    }
  }

  func rest(for seconds: Double) {
    guard type == .level else { return }
    time = max(0, time) + seconds
    // All are 0 before the first frame.
    let current = UnsafeBufferPointer(rebasing: values.prefix(inputs.count))
    for route in routes where route.isLive {
      let deliver = { (packet: UnsafeRawBufferPointer) in route.deliver(packet, at: 0) }
      if route.becameReady() { route.sender.sendAll(at: time, deliver: deliver) }
      route.sender.offer(current, at: time, deliver: deliver)
    }
  }

  /// Lets senders that are kept from plan to plan know how they send now. Here, as they are of the frame thread.
  private func adjust() {
    if isAdjusted { return }
    isAdjusted = true
    for (route, settings) in zip(routes, sending) { route.sender.adjust(to: settings) }
  }

  /// A blackout is sent past every limit, also in late frames and while the host runs faster than time.
  private func setLights(dark: Bool, _ frame: Frame) {
    isDark = dark
    guard dark else { return }
    forget()
    for route in routes where route.isLive {
      _ = route.becameReady()
      route.sender.sendAll(darkValues, at: time) { route.deliver($0, at: frame.end) }
    }
  }

  private var darkValues: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(rebasing: dark.prefix(inputs.count))
  }

  /// A late frame: the lights only get the newest, but a peak must not be lost.
  private func remember() {
    for channel in inputs.indices where values[channel] > peaks[channel] { peaks[channel] = values[channel] }
    hasPeaks = true
  }

  private var peaksStandOut: Bool { inputs.indices.contains { peaks[$0] > values[$0] } }

  private func forget() {
    guard hasPeaks else { return }
    hasPeaks = false
    for channel in inputs.indices { peaks[channel] = -.infinity }
  }

  func end(at seconds: Double, kept: Set<ObjectIdentifier>) {
    // Another schedule for the same lights takes them over as they are.
    for route in routes where route.isLive && !kept.contains(ObjectIdentifier(route.lights)) {
      route.sender.finish(darkValues, at: seconds) { route.deliver($0, at: seconds) }
    }
  }

  var report: [NodeReport] {
    let value = Float(bitPattern: first.load(ordering: .relaxed))
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
