import ArgumentParser
import Engine
import OSC

/// Which of a pair of machines a run is, and where the control port of the other one is.
struct PairOptions {
  /// Whether it is the one that sends only while the other is silent.
  var isSpare: Bool
  var other: Endpoint
  /// The address of the other one: no other is told anything, or heard.
  var address: IPAddress

  /// What lets packets out: held until it is known whether the other one sends.
  static func gate(_ pair: PairOptions?) -> OutputGate {
    pair.map { OutputGate(isSpare: $0.isSpare, isHeld: true) } ?? OutputGate()
  }
}

/// What `--spare` and `--spare-of` take: `ADDRESS:PORT`.
struct PairOption: ExpressibleByArgument {
  let endpoint: Endpoint
  let address: IPAddress

  init?(argument: String) {
    guard let endpoint = try? Endpoint(argument),
      let address = endpoint.host == "localhost" ? .loopback : IPAddress(endpoint.host)
    else { return nil }
    (self.endpoint, self.address) = (endpoint, address)
  }
}
