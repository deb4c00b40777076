public import Engine
public import Graphs
import Nodes
import OSC

extension Checker {
  /// For all that graph files may hold: every node type, and messages that a graph has done as the control port takes them.
  public static let complete = Checker(.full, messages: ShowMessages.check)
}

/// What a graph asks of its own show, by the grammar of the control port. [any]
enum ShowMessages {
  /// What is asked for, of a show as it is.
  static func commands(_ message: Message, in view: ControlView) throws(ControlError) -> [ShowCommand] {
    var commands: [ShowCommand] = []
    for request in try CommandReader(view: view).requests(message) {
      guard case .command(let command) = request else {
        throw .value("\(message.address) is answered to its sender, and a graph hears no answers")
      }
      commands.append(command)
    }
    return commands
  }

  /// Looks at a message while the graph is checked, before there are players and banks.
  static let check: MessageCheck = { message, graph in
    let view = ControlView(
      graph: graph, players: graph.nodes.filter(\.playsFiles).map(\.id),
      banks: graph.nodes.filter { $0.soundNames != nil }.map(\.id),
      beats: graph.nodes.filter(\.canBeTapped).map(\.id), folders: AllowedFolders([graph.folder]))
    do throws(ControlError) {
      var settings: [Override] = []
      for command in try commands(message, in: view) {
        if let setting = try check(command, view) { settings.append(setting) }
      }
      return .success(settings)
    } catch {
      return .failure(MessageFault(code: error.code, message: error.description))
    }
  }

  /// What only the show would refuse; gives the setting that is made.
  private static func check(_ command: ShowCommand, _ view: ControlView) throws(ControlError) -> Override? {
    switch command {
    case .transport(nil, _): if view.players.isEmpty { throw .noPlayer }
    case .sound(let node, let sound):
      let names = view.graph.nodes.filter { node == nil || $0.id == node }.compactMap(\.soundNames).joined()
      if let name = sound.name, !names.contains(name) { throw .sound(name) }
    default: break
    }
    return try SettingOverrides.override(command, view.graph)
  }
}

extension ShowAction {
  /// Its messages with what the file has for each.
  var messageSources: Zip2Sequence<[MessageText], [String]> { zip(messages, sources) }

  /// What its messages ask the show for, in order; those to other programs are left aside, and `refused` takes the reasons
  /// of those that cannot be asked for.
  func commands(in view: ControlView, refused: GraphChange.Refusal) -> [ShowCommand] {
    var commands: [ShowCommand] = []
    for text in messages where text.endpoint == nil {
      do throws(ControlError) { commands += try ShowMessages.commands(text.message, in: view) } catch {
        refused(error)
      }
    }
    return commands
  }

  /// The messages to other programs, in order.
  public var outside: [OutsideMessage] { messageSources.compactMap { OutsideMessage($0, source: $1) } }
}

extension ShowAlarm {
  /// What it asks a running show for, its messages to other programs left aside; what cannot be asked for is refused.
  ///
  /// - Parameters:
  ///   - folders: those in which its messages may name files.
  ///   - isLookAlone: whether it goes to its scene or its cue, and sends no messages.
  public func commands(
    _ show: Show, _ folders: AllowedFolders, isLookAlone: Bool = false, refused: GraphChange.Refusal
  ) -> [ShowCommand] {
    var commands: [ShowCommand] = []
    if let scene = action.scene { commands.append(.scene(.named(scene), seconds: action.seconds)) }
    if let cue { commands.append(.cue(.number(cue))) }
    if isLookAlone { return commands }
    return commands + action.commands(in: CommandReader(show, folders).view, refused: refused)
  }
}

/// A message to another program. [any]
public struct OutsideMessage: Equatable, Sendable {
  let message: Message
  let endpoint: Endpoint
  /// As the graph has it.
  public let source: String

  /// nil where it is to the show itself.
  init?(_ text: MessageText, source: String) {
    guard let endpoint = text.endpoint else { return nil }
    (message, self.endpoint, self.source) = (text.message, endpoint, source)
  }
}
