import ArgumentParser
import OSC

/// `visgraph send ADDRESS ARGUMENTS…`.
struct SendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Sends an OSC message to a running show, or to another program.",
    discussion: """
      Whole numbers go as i, other numbers as f, all else as text, unless --types says so: i int, h long, f float, \
      d double, s text, T true, F false, N nothing, I impulse (the last four take no argument). \
      Exit codes: 0 sent, and nothing was answered that refuses it; 1 nobody listens, or it is refused.

      visgraph send /visgraph/master 0.5
      """)

  @ArgumentParser.Argument(help: "The OSC address, such as /visgraph/master.") var address: String

  @ArgumentParser.Argument(parsing: .allUnrecognized, help: "The arguments.") var arguments: [String] = []

  @Option(help: ArgumentHelp("Where to.", valueName: "host:port")) var to: EndpointOption = .standard

  @Option(help: ArgumentHelp("The types of the arguments, such as ifs.", valueName: "letters")) var types:
    String?

  @OptionGroup var key: KeyOption

  func run() throws {
    let packet: [UInt8]
    do { packet = try MessageWords.packet(address, arguments, types: types) } catch {
      throw ValidationError("\(error)")
    }
    do {
      let client = try PacketClient(to.endpoint, .datagrams, within: 2)
      try key.show(client)
      try client.send(packet)
      // What is wrong is answered within a moment; also that nobody listens.
      while let answer = try client.receive(within: 0.3) {
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

  /// The other end says no.
  private struct Refused: Error, CustomStringConvertible {
    let description: String
  }
}
