import ArgumentParser
import Controls

/// `visgraph controls`.
struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls", abstract: "Lists the OSC messages that a running show takes.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, markdown
  }

  @Option(help: "How they are printed: text or markdown.") var format = Format.text

  func run() throws { write(format == .text ? ControlReference.text : ControlReference.markdown, to: 1) }
}
