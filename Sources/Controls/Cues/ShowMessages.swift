public import Engine
public import Graphs
import Nodes
import OSC

extension Checker {
  /// Checks everything that graph files may hold: all node types, and messages as the control port takes them.
  public static let complete = Checker(.full, messages: ShowMessages.check)
}

/// Messages of a graph to its own show, in the grammar of the control port. [any]
enum ShowMessages {
  /// The commands of a message, for a show as it is.
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

  /// Checks a message together with the graph, before there are players and sound banks.
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

  /// Refuses what otherwise only the show would refuse; returns the setting that the command makes.
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
  /// Its messages with their texts in the file.
  var messageSources: Zip2Sequence<[MessageText], [String]> { zip(messages, sources) }

  /// The commands of its messages to this show, in order; messages to other programs are skipped. `refused` takes the
  /// reasons for those that are refused.
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
  /// Its commands to a running show; messages to other programs are skipped.
  ///
  /// - Parameters:
  ///   - folders: the folders in which its messages may name files.
  ///   - isLookAlone: whether it only goes to its scene or cue, and sends no messages.
  ///   - refused: takes the reasons for messages that are refused.
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
  /// Its text in the graph.
  public let source: String

  /// Nil for a message to this show.
  init?(_ text: MessageText, source: String) {
    guard let endpoint = text.endpoint else { return nil }
    (message, self.endpoint, self.source) = (text.message, endpoint, source)
  }
}
