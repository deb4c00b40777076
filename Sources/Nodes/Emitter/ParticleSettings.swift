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
  static let recordName = "particles"
  /// Its fields, in the order of the docs.
  static let fields: [Field<ParticleSettings>] = [
    Field(
      "to", \.to, .text(pattern: "^(osc\\.udp://)?.+:[0-9]+/?$"), "HOST:PORT or osc.udp://HOST:PORT/."),
    Field(
      "address", \.address,
      "The address: {node} is the emitter's id, {channel} counts from 1, {name} is the channel's name."),
    Field("rate", \.rate, .number(.perSecond, 0.1...1000), "How often a second they are sent at most."),
    Field(
      "most", \.most, .number(.none, 1...100_000, whole: true),
      "How many particles of a channel are sent at most, in the order of drawing."),
  ]

  /// Throws what is wrong with the target or the address. [control]
  func check() throws(OSCFault) {
    _ = try Endpoint(to)
    _ = try AddressTemplate(address)
  }
}
