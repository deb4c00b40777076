import ArgumentParser
import Graphs
import OSC

/// What `--control` takes: a port, `ADDRESS:PORT`, or `off`.
struct ControlOption: ExpressibleByArgument {
  let listen: ControlSettings.Listen

  init?(argument: String) {
    if argument == "off" {
      listen = .off
    } else if let address = try? ListenAddress(argument) {
      listen = .at(address)
    } else {
      return nil
    }
  }
}

/// What `--allow` takes: an address, a network, or `any`.
struct AllowOption: ExpressibleByArgument {
  /// nil: any.
  let network: Network?

  init?(argument: String) {
    if argument == "any" {
      network = nil
    } else if let network = try? Network(argument) {
      self.network = network
    } else {
      return nil
    }
  }
}

extension ControlSettings {
  /// The control port as a graph wants it, with what the command line says instead.
  ///
  /// Throws wrong usage where other machines would be heard and nobody says which.
  func with(_ control: ControlOption?, _ allow: [AllowOption]) throws -> ControlSettings {
    var settings = self
    if let control { settings.listen = control.listen }
    if !allow.isEmpty {
      let networks = allow.compactMap(\.network)
      settings.allow = networks.count < allow.count ? .any : .networks(networks)
    }
    if let open = settings.openToAll {
      throw ValidationError(
        """
        --control \(open): other machines reach it there, and nothing says who may; add --allow with an address or a \
        network, such as --allow 192.168.1.0/24, or --allow any for everybody [control-open]
        """)
    }
    return settings
  }
}
