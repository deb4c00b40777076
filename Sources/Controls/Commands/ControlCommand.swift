import Engine
import Graphs
import Nodes
import OSC

/// A request that a message contains. [port]
enum ControlRequest: Equatable, Sendable {
  /// Performs a command of the show.
  case command(ShowCommand)
  /// Asks for the state of the show.
  case status
  /// Unlocks the control port for the sender, with the key.
  case key(String)
  /// Sends back the token of a challenge, which shows that the sender's address is not forged.
  case proof(String)
  /// Subscribes to the values that match, at most `rate` bundles a second, for `lease` seconds.
  case subscribe(FeedbackPattern, rate: Double, lease: Double)
  /// Asks, as the other machine of a pair, for what it needs to follow the show.
  case pair(PairRequest)
  /// Ends the subscription with that pattern; nil: all of the sender's.
  case unsubscribe(FeedbackPattern?)
}

/// A request of the other machine of a pair. [any]
public enum PairRequest: String, CaseIterable, Sendable {
  /// Asks for the state of the show.
  case follow
  /// The same, and has the spare stop sending: the machine that asks sends from now on.
  case take
}

/// A command of the control port, declared once: the reader and the docs follow from it.
///
/// A class, because every message is compared with all of them: copying a reference costs one reference count.
final class ControlCommand: Sendable {
  /// The address, such as `/visgraph/node/ID/SETTING`: ID stands for one part, SETTING at the end for one or more.
  let address: String
  /// The arguments as the docs write them.
  let arguments: String
  /// The address with its arguments, as the docs write it.
  let usage: String
  let help: String
  /// Whether the command is refused while no graph runs.
  let needsGraph: Bool
  /// Decides between commands whose addresses have the same form.
  let isMeant: @Sendable (ControlCall) -> Bool
  let read: @Sendable (ControlCall) throws(ControlError) -> [ControlRequest]
  /// The parts of `address`.
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

  /// Matches the parts of a received address: the part at ID, and the parts from SETTING on. Nil: another form.
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

/// A message that matched a command, with the view for which it is read. [port]
struct ControlCall {
  let view: ControlView
  let meaning: AddressCache.Meaning
  let arguments: ControlArguments

  /// The part of the address at ID; may be a pattern.
  var id: Substring { meaning.id }
  /// The parts of the address from SETTING on.
  var rest: [Substring] { meaning.rest }

  /// The nodes whose ids match, in file order. Throws `.pattern` or `.node`.
  func nodes() throws(ControlError) -> [CheckedNode] {
    guard let pattern = AddressPattern(id) else { throw .pattern(String(id)) }
    let name = String(id)
    let nodes = view.graph.nodes.filter { pattern.isPattern ? pattern.matches($0.id) : $0.id == name }
    guard !nodes.isEmpty else { throw .node(String(id), known: view.graph.nodes.map(\.id)) }
    return nodes
  }

  /// Whether the id is a pattern; nodes that do not fit the command are then skipped.
  var isPattern: Bool { AddressPattern(id)?.isPattern ?? false }
}

/// What messages are read against: the graph, and ids of some of its nodes. [port]
///
/// A class, because every step of reading has it: a copy costs one reference count, and one of the graph many.
final class ControlView {
  let graph: CheckedGraph
  /// Ids of the nodes with a player.
  let players: [String]
  /// Ids of the sound banks.
  var banks: [String]
  /// Ids of the beats whose tempo can be tapped.
  var beats: [String]
  let folders: AllowedFolders

  init(
    graph: CheckedGraph, players: [String], banks: [String] = [], beats: [String] = [],
    folders: AllowedFolders
  ) {
    (self.graph, self.players, self.banks, self.beats) = (graph, players, banks, beats)
    self.folders = folders
  }

  /// The view of a plan, empty without one. `known` is an earlier view of the same plan, whose ids are reused.
  convenience init(_ plan: CompiledPlan?, _ folders: AllowedFolders, after known: ControlView? = nil) {
    self.init(
      graph: plan?.graph ?? .nothing, players: known?.players ?? plan?.players.map(\.id) ?? [],
      banks: known?.banks ?? plan?.soundBanks.map(\.id) ?? [],
      beats: known?.beats ?? plan?.beats.map(\.id) ?? [], folders: folders)
  }
}

/// Caches the meanings of addresses, because a moving fader sends the same address again and again. They hold
/// for one plan, because another may have other nodes. [one]
final class AddressCache {
  /// The most addresses that are cached; one more empties the cache.
  static let most = 256
  /// The most settings that are cached for one address: a pattern may match many.
  static let mostSettings = 16

  /// The meaning of an address: its command, and what stands at ID and SETTING.
  final class Meaning {
    let command: ControlCommand
    let id: Substring
    let rest: [Substring]
    /// The settings that it means; nil: not looked up yet, or too many to cache.
    private(set) var settings: [SettingAddress]?

    init(_ command: ControlCommand, id: Substring, rest: [Substring]) {
      (self.command, self.id, self.rest) = (command, id, rest)
    }

    /// Caches the settings, unless there are more than `mostSettings`.
    func keep(_ settings: [SettingAddress]) {
      if settings.count <= mostSettings { self.settings = settings }
    }
  }

  private var plan: Int?
  private var view: ControlView?
  private var version: CompiledPlan.Version?
  private var meanings: [String: Meaning] = [:]

  var count: Int { meanings.count }

  /// Empties the cache when another plan runs, by the plan's number; nil: none runs.
  func follow(_ plan: Int?) {
    guard plan != self.plan else { return }
    (self.plan, view, version, meanings) = (plan, nil, nil, [:])
  }

  /// The view of a plan. Its players, sound banks and beats are looked up once, its graph after each change.
  func view(of plan: CompiledPlan?, _ folders: AllowedFolders) -> ControlView {
    follow(plan?.number)
    if let view, version == plan?.version { return view }
    version = plan?.version
    let view = ControlView(plan, folders, after: view)
    self.view = view
    return view
  }

  func meaning(of address: String) -> Meaning? { meanings[address] }

  func add(_ meaning: Meaning, of address: String) {
    if meanings.count >= Self.most { meanings = [:] }
    meanings[address] = meaning
  }
}
