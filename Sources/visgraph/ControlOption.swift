import ArgumentParser
import Controls

/// What `--control` takes: a port, or `off`.
struct ControlOption: ExpressibleByArgument {
  let choice: ControlPort.Choice

  init?(argument: String) {
    if argument == "off" {
      choice = .off
    } else if argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(argument), port > 0
    {
      choice = .port(port)
    } else {
      return nil
    }
  }
}
