import Graphs
import OSC

/// Reads what a message asks for. [port]
struct CommandReader {
  /// The most bytes of an address that is looked up.
  static let addressLimit = 512

  let view: ControlView
  /// Whether there is a graph yet; else only what needs none is understood.
  var isRunning = true

  func requests(_ message: Message) throws(ControlFault) -> [ControlRequest] {
    let address = message.address
    guard address.utf8.count <= Self.addressLimit else {
      throw .address(String(address.prefix(64)) + "…")
    }
    let parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard !parts.contains(where: \.isEmpty) else { throw .address(address) }
    for command in ControlCommands.all {
      guard let match = command.match(Array(parts)) else { continue }
      let arguments = ControlArguments(all: message.arguments, usage: command.usage)
      let call = ControlCall(view: view, id: match.id ?? "", rest: match.rest, arguments: arguments)
      guard isRunning || !command.needsGraph else { throw .notRunning }
      if command.isMeant(call) { return try command.read(call) }
    }
    throw isRunning ? .address(address) : .notRunning
  }

  /// The address that was meant, if it is near: the known ones without variables, and the beginnings of the rest.
  static func nearest(to address: String) -> String? {
    guard address.utf8.count <= addressLimit, !address.contains("//") else { return nil }
    let known = ControlCommands.all.map(\.address).filter { !$0.contains("ID") }
    return nearestWord(to: address, among: known)
  }
}
