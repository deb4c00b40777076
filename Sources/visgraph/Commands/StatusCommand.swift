import ArgumentParser
import Controls
import Graphs
import OSC

/// `visgraph status [HOST:PORT]`.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Prints the state of a running show.",
    discussion: """
      Exit codes: 0 the show is healthy; 1 it is not, or no show answers. Healthy means that frames come, the sound \
      server is there, every target can be reached, and every file is written without loss; faults are printed.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @ArgumentParser.Argument(help: ArgumentHelp("The control port of the show.", valueName: "host:port"))
  var show: EndpointOption = .standard

  @Option(help: "How it is printed: text or json.") var format = Format.text

  @OptionGroup var key: KeyOption

  func run() throws {
    let snapshot: [Message]
    do {
      snapshot = try ask()
    } catch {
      printNote("visgraph: \(DisplayedText.safe("\(error)"))")
      if format == .json {
        write(
          Json.object([
            ("healthy", .bool(false)), ("faults", .array([.string("\(error)")])),
          ]).text, to: 1)
      }
      throw ExitCode.failed
    }
    let report = StatusReport(snapshot)
    write(format == .json ? report.json.text : report.text, to: 1)
    if !report.isHealthy { throw ExitCode.failed }
  }

  private struct StatusError: Error, CustomStringConvertible {
    let description: String
  }

  private func ask() throws -> [Message] {
    let client = try PacketClient(show.endpoint, .stream, within: 2)
    try key.send(to: client)
    try client.send(Message("/visgraph/status").packet())
    var snapshot: [Message] = []
    for _ in 0..<10_000 {
      guard let packet = try client.receive(within: 2) else {
        throw StatusError(description: "\(show.endpoint) does not answer")
      }
      for message in (try? PacketReader().read(packet))?.messages ?? [] {
        if message.address == "/visgraph/error", case .string(let reason)? = message.arguments.last {
          throw StatusError(description: reason)
        }
        guard message.address.hasPrefix(ShowFact.base) else { continue }
        snapshot.append(message)
        if message.address == ShowFact.base + "end" { return snapshot }
      }
    }
    return snapshot
  }
}

/// The control port of a running show: `HOST:PORT`, or a port of this machine.
struct EndpointOption: ExpressibleByArgument {
  let endpoint: Endpoint

  static let standard = EndpointOption(argument: "\(ControlPort.standard)")!

  init?(argument: String) {
    let isPort = !argument.isEmpty && argument.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard let endpoint = try? Endpoint(isPort ? "127.0.0.1:\(argument)" : argument) else { return nil }
    self.endpoint = endpoint
  }

  var defaultValueDescription: String { "\(endpoint)" }
}

/// The key that a show asks other machines for.
struct KeyOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The key of the show, if it has one; by default the variable VISGRAPH_KEY, which no other user of this machine "
        + "sees.",
      valueName: "key"))
  var key: String?

  /// Sends the key, if there is one.
  func send(to client: PacketClient) throws {
    if let key = key ?? environment()["VISGRAPH_KEY"], !key.isEmpty {
      try client.send(Message("/visgraph/key", .string(key)).packet())
    }
  }
}
