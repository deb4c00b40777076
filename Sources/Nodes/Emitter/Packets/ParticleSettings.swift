import Engine
import Graphs
import OSC

/// The target of an emitter's particles, apart from those of lights, and the rate.
struct ParticleSettings: FieldRecord, FieldValue {
  var to = ""
  var address = "/visgraph/particles/{node}/{channel}"
  /// Sends per second.
  var rate = 30.0
  /// Maximum particles sent of a channel.
  var most = 2000
  var send = ParticleForm.blob
  var fields: [ParticleExtra] = []
  var bundle = SendSettings.Bundling.none
  /// Maximum bytes of a packet.
  var packet = 1452

  /// The defaults. Without `to` nothing is sent.
  init() {}

  /// The noun in messages.
  static let recordName = "particle target"
  /// Its fields, in the order of the docs.
  static let fields: [Field<ParticleSettings>] = [
    Field(
      "to", \.to, OscText.endpoint,
      "HOST:PORT or osc.udp://HOST:PORT/. In a blackout \(Dimmed.particles.inBlackout); under the master "
        + "\(Dimmed.particles.underMaster)."),
    Field(
      "address", \.address, OscText.address("node", "source", "channel", "name"),
      "The address: {node} is the emitter's id, {channel} counts from 1, {name} is the channel's name."),
    Field("rate", \.rate, .number(.perSecond, 0.1...1000), "The most sends a second."),
    Field(
      "most", \.most, .number(.none, 1...100_000, whole: true),
      "The most particles of a channel that are sent, in the order of drawing."),
    Field("send", \.send, "How particles are packed."),
    Field(
      "fields", \.fields, .list(ParticleExtra.kind, count: 0...4),
      "What is sent of each particle besides its place, size and color, in the order given here. "
        + ParticleExtra.allCases.map { "`\($0.rawValue)`: \($0.help)." }.joined(separator: " ")),
    Field("bundle", \.bundle, "Whether messages are sent one by one or in bundles."),
    Field(
      "packet", \.packet, SendFields.packet.kind,
      "The most bytes of a packet, without the headers of UDP and IP. 1452 is what the packets of Ethernet and "
        + "Wi-Fi hold by IPv4 and IPv6: larger ones are split into fragments on their way, and lost when one "
        + "fragment is. For a program on this machine, 16500 holds 1024 particles."),
  ]

  /// The address of each channel. Throws the fault of the template. [control]
  func addresses(of channels: [Channel], id: String) throws(OSCError) -> [String] {
    let template = try AddressTemplate(address)
    return channels.map { channel in
      template.expand(
        .init(node: id, source: id, channel: channel.number, name: channel.name ?? "\(channel.number)"))
    }
  }
}

/// How particles are distributed over messages.
enum ParticleForm: String, FieldChoice {
  case blob, each
  var help: String {
    switch self {
    case .blob: "many particles in one message, as bytes"
    case .each: "one message per particle, its numbers as arguments"
    }
  }
}
