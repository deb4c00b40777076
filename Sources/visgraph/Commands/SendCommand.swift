import ArgumentParser
import OSC

/// `visgraph send ADDRESS ARGUMENTS…`.
struct SendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Sends an OSC message to a running show, or to another program.",
    discussion: """
      Whole numbers go as i, other numbers as f, all else as text, unless --types says so: i int, h long, f float, d \
      double, s text, T true, F false, N nothing, I impulse (the last four take no argument). Exit codes: 0 the \
      message was sent, and not refused; 1 no program listens, or it is refused.

      visgraph send /visgraph/master 0.5
      """)

  @ArgumentParser.Argument(help: "The OSC address, such as /visgraph/master.") var address: String

  @ArgumentParser.Argument(parsing: .allUnrecognized, help: "The arguments.") var arguments: [String] = []

  @Option(help: ArgumentHelp("The target.", valueName: "host:port")) var to: EndpointOption = .standard

  @Option(help: ArgumentHelp("The types of the arguments, such as ifs.", valueName: "letters")) var types:
    String?

  @OptionGroup var key: KeyOption

  func run() throws {
    let packet: [UInt8]
    do { packet = try MessageParser.packet(address, arguments, types: types) } catch {
      throw ValidationError("\(error)")
    }
    try ShowRequest(endpoint: to.endpoint, key: key).send(packet, timeout: 0.3)
  }
}

/// `visgraph save [HOST:PORT]`.
struct SaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Has a running show write what was set live into its graph file.",
    discussion: """
      Values are put in the place of those that stand there; comments, order and spaces stay as they are. What was \
      given with --set stays on the command line. Exit codes: 0 the show was asked, and has not refused; 1 no show \
      listens, or it refuses, or a setting has no place in the file.
      """)

  @ArgumentParser.Argument(help: ArgumentHelp("The control port of the show.", valueName: "host:port"))
  var show: EndpointOption = .standard

  @OptionGroup var key: KeyOption

  func run() throws {
    let packet = try Message("/visgraph/graph/save").packet()
    // The answer takes longer, because the show checks each setting by reading the graph again.
    try ShowRequest(endpoint: show.endpoint, key: key).send(packet, timeout: 1)
  }
}

/// A request to a running show by UDP.
struct ShowRequest {
  let endpoint: Endpoint
  let key: KeyOption

  private struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  /// Sends a packet, then waits up to `timeout` s for an error: a message from the show, or a closed port. Prints the
  /// error and throws exit code 1.
  func send(_ packet: [UInt8], timeout: Double) throws {
    do {
      let client = try PacketClient(endpoint, .datagrams, within: 2)
      try key.send(to: client)
      try client.send(packet)
      while let answer = try client.receive(within: timeout) {
        for message in (try? PacketReader().read(answer))?.messages ?? []
        where message.address == "/visgraph/error" {
          guard case .string(let reason)? = message.arguments.last else { continue }
          throw Refused(description: reason)
        }
      }
    } catch {
      printNote("visgraph: \(DisplayedText.safe("\(error)"))")
      throw ExitCode.failed
    }
  }
}

/// Makes a message from the words of a command line.
enum MessageParser {
  struct ParseError: Error, CustomStringConvertible {
    let description: String
  }

  /// The packet. `types` has an OSC type tag for each argument, of which T, F, N and I take no word; nil: the types are
  /// guessed from the words.
  static func packet(_ address: String, _ words: [String], types: String?) throws -> [UInt8] {
    var rest = words[...]
    var values: [OSC.Argument] = []
    for letter in types ?? String(repeating: "?", count: words.count) {
      switch letter {
      case "T": values.append(.bool(true))
      case "F": values.append(.bool(false))
      case "N": values.append(.null)
      case "I": values.append(.impulse)
      default:
        guard let text = rest.popFirst() else {
          throw ParseError(description: "--types names more arguments than there are")
        }
        guard let value = OSC.Argument(text, as: letter) else {
          throw ParseError(description: "\(text) is no argument of type \(letter)")
        }
        values.append(value)
      }
    }
    guard rest.isEmpty else { throw ParseError(description: "--types names fewer arguments than there are") }
    // A pattern is an address for the receiver, but not a valid name. So a placeholder of the same length is encoded,
    // and then replaced.
    let plain = String(address.map { "*?[]{},".contains($0) ? "_" : $0 })
    let packet = try Message(plain, arguments: values).packet()
    return Array(address.utf8) + packet.dropFirst(address.utf8.count)
  }
}
