import Engine
import Graphs
import Nodes
import OSC

/// Reads what a message asks for. [port]
struct CommandReader {
  /// The most bytes of an address that is looked up.
  static let addressLimit = 512

  let view: ControlView
  /// Whether there is a graph yet; else only what needs none is understood.
  var isRunning: Bool
  private let cache: AddressCache?

  /// Reads what is meant for a show as it is now; a cache has what addresses meant before.
  init(_ show: Show, _ folders: AllowedFolders, _ cache: AddressCache? = nil) {
    let plan = show.plan
    self.cache = cache
    view = cache?.view(of: plan, folders) ?? ControlView(plan, folders)
    isRunning = plan != nil
  }

  /// Reads against what is given.
  init(view: ControlView, isRunning: Bool = true, _ cache: AddressCache? = nil) {
    self.view = view
    self.isRunning = isRunning
    self.cache = cache
  }

  func requests(_ message: Message) throws(ControlError) -> [ControlRequest] {
    let address = message.address
    if let known = cache?.entry(of: address) { return try known.command.read(call(known, message)) }
    guard address.utf8.count <= Self.addressLimit else {
      throw .address(String(address.prefix(64)) + "…")
    }
    let parts = Self.parts(of: address)
    guard !parts.contains(where: \.isEmpty) else { throw .address(address) }
    for command in ControlCommandTable.all {
      guard let match = command.match(parts) else { continue }
      guard isRunning || !command.needsGraph else { throw .notRunning }
      let found = AddressCache.Entry(command, id: match.id ?? "", rest: match.rest)
      let call = call(found, message)
      guard command.isMeant(call) else { continue }
      cache?.add(found, of: address)
      return try command.read(call)
    }
    throw isRunning ? .address(address) : .notRunning
  }

  private func call(_ meaning: AddressCache.Entry, _ message: Message) -> ControlCall {
    let arguments = ControlArguments(all: message.arguments, usage: meaning.command.usage)
    return ControlCall(view: view, meaning: meaning, arguments: arguments)
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
