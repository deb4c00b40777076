import Graphs
import OSC

/// Where an emitter sends its particles, and how often: a target of its own, beside the lights.
struct ParticleSettings: FieldRecord, FieldValue {
  /// Where to.
  var to = ""
  /// The address template.
  var address = "/visgraph/particles/{node}/{channel}"
  /// Occasions a second.
  var rate = 30.0
  /// The most particles of a channel that are sent.
  var most = 2000

  /// The defaults; without `to` nothing is sent.
  init() {}

  /// What sentences call it.
  static let recordName = "particle target"
  /// Its fields, in the order of the docs.
  static let fields: [Field<ParticleSettings>] = [
    Field(
      "to", \.to, OscText.endpoint, "HOST:PORT or osc.udp://HOST:PORT/."),
    Field(
      "address", \.address, OscText.address("node", "source", "channel", "name"),
      "The address: {node} is the emitter's id, {channel} counts from 1, {name} is the channel's name."),
    Field("rate", \.rate, .number(.perSecond, 0.1...1000), "How often a second they are sent at most."),
    Field(
      "most", \.most, .number(.none, 1...100_000, whole: true),
      "How many particles of a channel are sent at most, in the order of drawing."),
  ]

  /// Throws what is wrong with the target or the address; gives what else is wrong: no target, or several channels with
  /// the same address. [control]
  func check(_ channels: [Channel]) throws(OSCFault) -> (code: String, sentence: String)? {
    if to.isEmpty { return ("no-target", "particles need a `to`, such as `to: 127.0.0.1:7700`") }
    _ = try Endpoint(to)
    var seen: [String: Int] = [:]
    for (index, address) in try addresses(of: channels, id: "node").enumerated() {
      guard let first = seen.updateValue(index, forKey: address) else { continue }
      return (
        "equal-addresses",
        "the particles of channels \(first + 1) and \(index + 1) would both be sent to \(address); "
          + "put {channel} into the address"
      )
    }
    return nil
  }

  /// Where the particles of each channel go. Throws what is wrong with the address. [control]
  func addresses(of channels: [Channel], id: String) throws(OSCFault) -> [String] {
    let template = try AddressTemplate(address)
    return channels.map { channel in
      template.expand(
        .init(node: id, source: id, channel: channel.number, name: channel.name ?? "\(channel.number)"))
    }
  }
}
