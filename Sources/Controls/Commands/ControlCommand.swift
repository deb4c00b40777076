import Engine
import Graphs
import OSC

/// Something a message asks for. [port]
enum ControlRequest: Equatable {
  /// To be done.
  case command(ShowCommand)
  /// To be told how the show stands.
  case status
  /// To be heard, by whoever has the key.
  case key(String)
  /// To be told what changes, so many times a second, for so many seconds; 0 times: no more.
  case subscribe(FeedbackPattern, rate: Double, lease: Double)
  /// To be told no more; nil: nothing at all.
  case unsubscribe(FeedbackPattern?)
}

/// A command of the control port, declared once: the reader and the docs come from it.
///
/// A class, as every message goes by all of them: a copy of it is one count.
final class ControlCommand: Sendable {
  /// The address: `/visgraph/node/ID/SETTING`; words in capitals stand for something, the last for one part or more.
  let address: String
  /// The arguments as the docs write them.
  let arguments: String
  let help: String
  /// Whether it means something only once a graph runs.
  let needsGraph: Bool
  /// Whether this one is meant, where others have addresses of the same form.
  let isMeant: @Sendable (ControlCall) -> Bool
  let read: @Sendable (ControlCall) throws(ControlError) -> [ControlRequest]
  /// The parts of the address.
  private let form: [Part]

  private enum Part { case word(Substring), id, setting }

  init(
    _ address: String, _ arguments: String, _ help: String, needsGraph: Bool = true,
    isMeant: @escaping @Sendable (ControlCall) -> Bool = { _ in true },
    read: @escaping @Sendable (ControlCall) throws(ControlError) -> [ControlRequest]
  ) {
    self.address = address
    self.arguments = arguments
    self.help = help
    self.needsGraph = needsGraph
    self.isMeant = isMeant
    self.read = read
    form = address.split(separator: "/").map { word in
      switch word {
      case "ID": .id
      case "SETTING": .setting
      default: .word(word)
      }
    }
  }

  /// How it is written, with its arguments.
  var usage: String { arguments.isEmpty ? address : "\(address) \(arguments)" }

  /// What the capitals of the address stand for in a received one; nil when it is of another form.
  func match(_ parts: [Substring]) -> (id: Substring?, rest: [Substring])? {
    guard parts.count >= form.count else { return nil }
    var id: Substring?
    for (place, part) in form.enumerated() {
      switch part {
      case .id: id = parts[place]
      case .setting: return (id, Array(parts[place...]))
      case .word(let word): guard word == parts[place] else { return nil }
      }
    }
    return parts.count == form.count ? (id, []) : nil
  }
}

/// A message on its way through a command: what the address stands for, and the show as it is. [port]
struct ControlCall {
  let view: ControlView
  /// The part where the id of a node stands; may be a pattern.
  let id: Substring
  /// The parts of the setting.
  let rest: [Substring]
  let arguments: ControlArguments

  /// The nodes that the id means, in file order.
  func nodes() throws(ControlError) -> [CheckedNode] {
    guard let pattern = AddressPattern(id) else { throw .pattern(String(id)) }
    let name = String(id)
    let nodes = view.graph.nodes.filter { pattern.isPattern ? pattern.matches($0.id) : $0.id == name }
    guard !nodes.isEmpty else { throw .node(String(id), known: view.graph.nodes.map(\.id)) }
    return nodes
  }

  /// Whether the id is a pattern, so that what does not fit is passed over.
  var isPattern: Bool { AddressPattern(id)?.isPattern ?? false }
}

/// The show as messages are read against it. [port]
struct ControlView {
  let graph: CheckedGraph
  /// The ids of the nodes that play.
  let players: [String]
  /// The ids of the nodes that have sounds.
  var banks: [String] = []
  /// The ids of the nodes that can be tapped.
  var beats: [String] = []
  let folders: AllowedFolders
}

/// Reads what a message asks for. [port]
struct CommandReader {
  /// The most bytes of an address that is looked up.
  static let addressLimit = 512

  let view: ControlView
  /// Whether there is a graph yet; else only what needs none is understood.
  var isRunning: Bool

  /// Reads what is meant for a show as it is now.
  init(_ show: Show, _ folders: AllowedFolders) {
    let graph = show.plan?.graph
    view = ControlView(
      graph: graph ?? .nothing, players: show.players.map(\.id), banks: show.soundBanks.map(\.id),
      beats: show.beats.map(\.id), folders: folders)
    isRunning = graph != nil
  }

  /// Reads against what is given.
  init(view: ControlView, isRunning: Bool = true) {
    self.view = view
    self.isRunning = isRunning
  }

  func requests(_ message: Message) throws(ControlError) -> [ControlRequest] {
    let address = message.address
    guard address.utf8.count <= Self.addressLimit else {
      throw .address(String(address.prefix(64)) + "…")
    }
    let parts = Self.parts(of: address)
    guard !parts.contains(where: \.isEmpty) else { throw .address(address) }
    for command in ControlCommandTable.all {
      guard let match = command.match(parts) else { continue }
      let arguments = ControlArguments(all: message.arguments, usage: command.usage)
      let call = ControlCall(view: view, id: match.id ?? "", rest: match.rest, arguments: arguments)
      guard isRunning || !command.needsGraph else { throw .notRunning }
      if command.isMeant(call) { return try command.read(call) }
    }
    throw isRunning ? .address(address) : .notRunning
  }

  /// Split byte by byte, as a slash is never part of another character in UTF-8.
  private static func parts(of address: String) -> [Substring] {
    address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map(
      Substring.init)
  }

  /// Whether an address has the form of a command's.
  static func isKnown(_ address: String) -> Bool {
    guard address.utf8.count <= addressLimit else { return false }
    let parts = Self.parts(of: address)
    return !parts.contains(where: \.isEmpty)
      && ControlCommandTable.all.contains { $0.match(parts) != nil }
  }

  /// The address that was meant, if it is near: the known ones without variables, and the beginnings of the rest.
  static func nearest(to address: String) -> String? {
    guard address.utf8.count <= addressLimit, !address.contains("//") else { return nil }
    let known = ControlCommandTable.all.map(\.address).filter { !$0.contains("ID") }
    return nearestWord(to: address, among: known)
  }
}
