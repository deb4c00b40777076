import ArgumentParser
import Controls
import Engine
import Graphs
import OSC

/// Which of a pair of machines a run is, and where the control port of the other one is.
struct PairOptions {
  /// Whether it is the one that sends only while the other is silent.
  var isSpare: Bool
  var other: Endpoint
  /// The address of the other one: no other is told anything, or heard.
  var address: IPAddress

  /// Whether an address is that of the other one. [any]
  func isOther(_ peer: IPAddress) -> Bool { peer == address || peer.isLoopback && address.isLoopback }

  /// Throws wrong usage where the other one could not ask this one at its control port.
  func check(_ control: ControlSettings) throws {
    let option = isSpare ? "--spare-of" : "--spare"
    guard case .at(let listen) = control.listen else {
      throw ValidationError(
        "\(option): the other machine asks at one certain port; name it with --control, such as --control "
          + "\(address.isLoopback ? "" : "0.0.0.0:")\(ControlPort.standard)")
    }
    if address.isLoopback { return }
    if listen.isLoopback {
      throw ValidationError(
        "\(option) \(other): that machine does not reach the control port at \(listen); name an address of the network, such "
          + "as --control 0.0.0.0:\(listen.port), and add --allow \(address)")
    }
    if control.allow?.contains(address) != true {
      throw ValidationError(
        "\(option) \(other): that machine may not ask at the control port; add --allow \(address)")
    }
  }

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
