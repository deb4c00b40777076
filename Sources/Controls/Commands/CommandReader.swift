import Engine
import Graphs
import Nodes
import OSC

/// Reads the requests of a message. [port]
struct CommandReader {
  /// The longest address that is looked up, in bytes.
  static let addressLimit = 512

  let view: ControlView
  /// Whether a graph runs; without one, only commands that need none are read.
  var isRunning: Bool
  private let cache: AddressCache?

  /// Reads for the show as it is now; `cache` has the meanings of addresses that were read before.
  init(_ show: Show, _ folders: AllowedFolders, _ cache: AddressCache? = nil) {
    let plan = show.plan
    self.cache = cache
    view = cache?.view(of: plan, folders) ?? ControlView(plan, folders)
    isRunning = plan != nil
  }

  /// Reads for a given view.
  init(view: ControlView, isRunning: Bool = true, _ cache: AddressCache? = nil) {
    self.view = view
    self.isRunning = isRunning
    self.cache = cache
  }

  /// Reads a message. Returns no request for the release of a button, which does nothing. Throws `.address` for an
  /// unknown address, `.notRunning` where the command needs a graph and none runs, and faults of the arguments.
  ///
  /// For a cached meaning the table is not asked again: the cache is emptied when another plan runs, or none.
  func requests(_ message: Message) throws(ControlError) -> [ControlRequest] {
    let address = message.address
    if let meaning = cache?.meaning(of: address) { return try meaning.command.read(call(meaning, message)) }
    guard address.utf8.count <= Self.addressLimit else {
      throw .address(String(address.prefix(64)) + "…")
    }
    let parts = Self.parts(of: address)
    guard !parts.contains(where: \.isEmpty) else { throw .address(address) }
    for command in ControlCommandTable.all {
      guard let match = command.match(parts) else { continue }
      guard isRunning || !command.needsGraph else { throw .notRunning }
      let meaning = AddressCache.Meaning(command, id: match.id ?? "", rest: match.rest)
      let call = call(meaning, message)
      // Commands of one form, such as `stop`, are told apart by their node.
      guard command.isMeant(call) else { continue }
      cache?.add(meaning, of: address)
      return try command.read(call)
    }
    throw isRunning ? .address(address) : .notRunning
  }

  private func call(_ meaning: AddressCache.Meaning, _ message: Message) -> ControlCall {
    let arguments = ControlArguments(all: message.arguments, usage: meaning.command.usage)
    return ControlCall(view: view, meaning: meaning, arguments: arguments)
  }

  /// Splits an address, which begins with a slash, into its parts. Splits by bytes: in UTF-8 a slash is never part of
  /// another character.
  private static func parts(of address: String) -> [Substring] {
    address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map(
      Substring.init)
  }

  /// Whether some command has addresses of this form.
  static func isKnown(_ address: String) -> Bool {
    guard address.utf8.count <= addressLimit else { return false }
    let parts = Self.parts(of: address)
    return !parts.contains(where: \.isEmpty)
      && ControlCommandTable.all.contains { $0.match(parts) != nil }
  }

  /// The nearest known address, for "did you mean"; addresses with an ID are not compared.
  static func nearest(to address: String) -> String? {
    guard address.utf8.count <= addressLimit, !address.contains("//") else { return nil }
    let known = ControlCommandTable.all.map(\.address).filter { !$0.contains("ID") }
    return nearestWord(to: address, among: known)
  }
}
