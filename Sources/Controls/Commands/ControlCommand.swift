import Engine
import Graphs
import Nodes
import OSC

/// Something a message asks for. [port]
enum ControlRequest: Equatable, Sendable {
  /// To be done.
  case command(ShowCommand)
  /// Asks how the show stands.
  case status
  /// To be heard, by a sender that has the key.
  case key(String)
  /// To be believed to be where its datagrams say, by a sender that was sent the token there.
  case proof(String)
  /// Subscribes to what changes, so many times a second, for so many seconds; 0 times: no more.
  case subscribe(FeedbackPattern, rate: Double, lease: Double)
  /// Asks for what the other machine of a pair needs to follow the show.
  case pair(PairRequest)
  /// Ends a subscription; nil: all of them.
  case unsubscribe(FeedbackPattern?)
}

/// What the other machine of a pair asks for. [any]
public enum PairRequest: String, CaseIterable, Sendable {
  /// Asks to be sent how the show stands.
  case follow
  /// The same, and that the spare sends no more: the machine that asks does from now on.
  case take
}

/// A command of the control port, declared once: the reader and the docs come from it.
///
/// A class, as every message goes by all of them: a copy of it is one count.
final class ControlCommand: Sendable {
  /// The address: `/visgraph/node/ID/SETTING`; words in capitals stand for something, the last for one part or more.
  let address: String
  /// The arguments as the docs write them.
  let arguments: String
  /// How it is written, with its arguments.
  let usage: String
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
    usage = arguments.isEmpty ? address : "\(address) \(arguments)"
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
  let meaning: AddressCache.Entry
  let arguments: ControlArguments

  /// The part where the id of a node stands; may be a pattern.
  var id: Substring { meaning.id }
  /// The parts of the setting.
  var rest: [Substring] { meaning.rest }

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
///
/// A class, as every step of a message has it: a copy of it is one count, that of a graph is many.
final class ControlView {
  let graph: CheckedGraph
  /// The ids of the nodes that play.
  let players: [String]
  /// The ids of the nodes that have sounds.
  var banks: [String]
  /// The ids of the nodes that can be tapped.
  var beats: [String]
  let folders: AllowedFolders

  init(
    graph: CheckedGraph, players: [String], banks: [String] = [], beats: [String] = [],
    folders: AllowedFolders
  ) {
    (self.graph, self.players, self.banks, self.beats) = (graph, players, banks, beats)
    self.folders = folders
  }

  /// What a plan runs; nothing without one. What is known of the plan already is taken from an earlier view.
  convenience init(_ plan: CompiledPlan?, _ folders: AllowedFolders, after known: ControlView? = nil) {
    self.init(
      graph: plan?.graph ?? .nothing, players: known?.players ?? plan?.players.map(\.id) ?? [],
      banks: known?.banks ?? plan?.soundBanks.map(\.id) ?? [],
      beats: known?.beats ?? plan?.beats.map(\.id) ?? [], folders: folders)
  }
}

/// What addresses meant that were read of late: a fader that moves comes by the same one again and again, and has its way
/// there worked out once. Only while the same plan runs, as another may have other nodes. [one]
final class AddressCache {
  /// The most addresses that are kept; for one more all of them are forgotten.
  static let most = 256
  /// The most settings that are kept for one of them: patterns mean many.
  static let mostSettings = 16

  /// What an address means.
  final class Entry {
    let command: ControlCommand
    let id: Substring
    let rest: [Substring]
    /// The settings; nil until they are first needed.
    private(set) var settings: [SettingAddress]?

    init(_ command: ControlCommand, id: Substring, rest: [Substring]) {
      (self.command, self.id, self.rest) = (command, id, rest)
    }

    /// Keeps them, where they are few.
    func keep(_ settings: [SettingAddress]) {
      if settings.count <= mostSettings { self.settings = settings }
    }
  }

  private var plan: Int?
  private var view: ControlView?
  private var version: CompiledPlan.Version?
  private var entries: [String: Entry] = [:]

  /// How many there are.
  var count: Int { entries.count }

  /// Forgets what was meant in another plan, by their numbers; nil: none runs.
  func follow(_ plan: Int?) {
    guard plan != self.plan else { return }
    (self.plan, view, version, entries) = (plan, nil, nil, [:])
  }

  /// How messages are read against a plan: which nodes play, have sounds or can be tapped is found out once, and its graph is
  /// as it is now.
  func view(of plan: CompiledPlan?, _ folders: AllowedFolders) -> ControlView {
    follow(plan?.number)
    if let view, version == plan?.version { return view }
    version = plan?.version
    let view = ControlView(plan, folders, after: view)
    self.view = view
    return view
  }

  func entry(of address: String) -> Entry? { entries[address] }

  func add(_ entry: Entry, of address: String) {
    if entries.count >= Self.most { entries = [:] }
    entries[address] = entry
  }
}
