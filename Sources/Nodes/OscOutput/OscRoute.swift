import Engine
import OSC

/// One target with its schedule; kept from plan to plan as long as the addresses are the same. [frame]
final class OscRoute: OutputRoute, @unchecked Sendable {
  let endpoint: Endpoint
  let sender: Sender
  /// One for each channel, or one for all.
  let addresses: [String]
  /// What shines at these addresses, whatever the schedule.
  let lights: AnyObject
  private let outlet: PacketOutlet

  /// The lights at the addresses of one target of a node: as long as a plan asks for them, somebody goes on lighting them.
  final class Lights: Sendable {}

  init(endpoint: Endpoint, sender: Sender, addresses: [String], lights: Lights, outlet: PacketOutlet) {
    self.endpoint = endpoint
    self.lights = lights
    self.sender = sender
    self.addresses = addresses
    self.outlet = outlet
  }

  /// Whether packets lead anywhere.
  var isLive: Bool { outlet.isLive }

  /// True once, when the receiver was found: all that is current should be sent.
  func becameReady() -> Bool { outlet.becameReady() }

  /// Sends a packet that is due at `seconds` of the timeline.
  func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) { outlet.deliver(packet, at: seconds) }

  func offer(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    sender.offer(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func offer(
    peaks: UnsafeBufferPointer<Float>, then values: UnsafeBufferPointer<Float>, at moment: OutputMoment
  ) {
    sender.sendNow(peaks, at: moment.schedule) { deliver($0, at: moment.end) }
    sender.sendNow(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func sendAgain(at moment: OutputMoment) {
    sender.sendAll(at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func sendAll(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    sender.sendAll(values, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func finish(dark: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    sender.finish(dark, at: moment.schedule) { deliver($0, at: moment.end) }
  }

  func report(id: String, value: Float) -> [NodeReport] {
    let counts = sender.counts
    return [
      outlet.report(
        id: id, name: endpoint.description, sent: counts.messages, held: counts.held,
        sample: "\(addresses.first ?? "") \(twoDecimals(value))")
    ]
  }

  private func twoDecimals(_ value: Float) -> String {
    let hundredths = Int((Double(value.isFinite ? value : 0) * 100).rounded())
    let digits = String(abs(hundredths) % 100)
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits.count < 2 ? "0" + digits : digits)"
  }
}
