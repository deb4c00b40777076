import ArgumentParser
import Controls
import Engine
import Graphs
import OSC

/// The role of this machine in a pair, and the control port of the other machine.
struct PairOptions {
  /// Whether this machine is the spare, which sends only while the other one is silent.
  var isSpare: Bool
  var other: Endpoint
  /// The other machine's address: requests from others are ignored.
  var address: IPAddress

  /// Whether an address is that of the other machine. [any]
  func isOther(_ peer: IPAddress) -> Bool { peer == address || peer.isLoopback && address.isLoopback }

  /// Throws if the other machine could not reach this one's control port.
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

  /// The output gate. In a pair it is held until this machine knows whether the other one sends.
  static func gate(_ pair: PairOptions?) -> OutputGate {
    pair.map { OutputGate(isSpare: $0.isSpare, isHeld: true) } ?? OutputGate()
  }
}

/// The value of `--spare` and `--spare-of`: `ADDRESS:PORT`.
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
