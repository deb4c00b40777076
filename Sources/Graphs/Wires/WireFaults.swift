/// Diagnostics about wires.
extension Diagnostic {
  static func wireNotText(_ tree: Tree) -> Diagnostic {
    Diagnostic(
      "wire-syntax", "a wire is \(tree.words); it takes text such as song -> meter", at: tree.mark)
  }

  static func wireSyntax(_ rest: String, expected: String, at mark: SourceRange) -> Diagnostic {
    let message =
      rest.isEmpty
      ? "the wire ends where \(expected) is expected" : "\(expected) is expected here, not \(quote(rest))"
    let arrow =
      expected == "->" ? ["-->", "=>", "--", "~>", ">", "|", ","].first(where: rest.hasPrefix) : nil
    return Diagnostic(
      "wire-syntax", message, at: mark,
      notes: (arrow.map { ["write -> for \($0)"] } ?? []) + [
        wireForm
      ])
  }

  /// A note on the form of wires.
  private static let wireForm =
    "a wire is a chain such as song -> meter -> rig, each ID, ID.PORT, ID[1-3, NAME] or ID.PORT[2]"

  static func openSelector(at mark: SourceRange) -> Diagnostic {
    Diagnostic("wire-syntax", "the [ is not closed by ]", at: mark, notes: [wireForm])
  }

  static func wireWithoutArrow(_ text: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wire-syntax", "a wire needs at least two nodes", at: mark,
      notes: ["write \(plain(text)) -> ID"])
  }

  static func portBehindChannels(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wire-syntax", "the port has to be before the channels", at: mark, notes: ["write ID.PORT[2]"])
  }

  static func channelsInTheMiddle(_ text: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "channels-in-the-middle",
      "channels in the middle of a chain are ambiguous: inputs or outputs of \(plain(text))", at: mark,
      notes: ["split the chain there, and select channels at the end of one wire or the start of the other"])
  }

  static func wiredToItself(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wire-loop", "\(plain(id)) is wired to itself", at: mark,
      notes: ["remove this wire: a graph has no feedback"])
  }

  static func loop(_ ids: [String], at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "wire-loop", "the wires form a loop: \(loopPath(ids))", at: mark,
      notes: ["remove one of these wires: a graph has no feedback"])
  }

  static func noOutput(_ id: String, _ type: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic("unknown-port", "no wire can start at \(plain(id)): \(type) has no outputs", at: mark)
  }

  static func noInput(_ id: String, _ type: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic("unknown-port", "no wire can lead to \(plain(id)): \(type) has no inputs", at: mark)
  }

  /// `leaves`: the wire starts there. `other`: the node has such a port on its other side.
  static func unknownPort(
    _ name: String, of id: String, leaves: Bool, known: [String], other: Bool, at mark: SourceRange
  ) -> Diagnostic {
    let kind = leaves ? "output" : "input"
    let message =
      other
      ? "\(name) is an \(leaves ? "input" : "output") of \(plain(id)), but an \(kind) is needed here"
      : "\(plain(id)) has no \(kind) \(quote(name))"
    let list = known.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return Diagnostic(
      "unknown-port", message, at: mark, notes: didYouMean(name, list) + ["possible ports: \(some(list))"])
  }

  static func nothingWired(_ id: String, _ port: InputPort, at mark: SourceRange) -> Diagnostic {
    let name = "\(plain(id)).\(port.name)"
    let takes = port.accepts.map(\.words).joined(separator: " or ")
    return Diagnostic(
      "nothing-wired", "the input \(name) has no wire", at: mark,
      notes: ["wire \(takes) to it: add - ID -> \(name) under wires:"])
  }

  static func unlikePorts(
    _ from: String, _ gives: PortType, _ to: String, _ takes: [PortType], _ remedy: [String]?,
    at mark: SourceRange
  ) -> Diagnostic {
    let kinds = takes.map(\.words).joined(separator: " or ")
    let way =
      remedy.map { ": put " + $0.map(indefinite).joined(separator: ", then ") + " between them" } ?? ""
    return Diagnostic(
      "unlike-ports", "\(plain(from)) outputs \(gives.words), but \(to) accepts \(kinds)\(way)", at: mark)
  }

  static func mixedTypes(_ port: String, _ first: PortType, _ second: PortType, at mark: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "mixed-types",
      "wires with \(first.words) and wires with \(second.words) lead to \(port); all must carry the same type",
      at: mark)
  }

  /// A wire that does not fit a port. `because`: the wire that gave the port its width.
  static func widths(_ arrival: IncomingWire, _ port: String, _ width: Int, because: String?) -> Diagnostic {
    let reason = because.map { ", the width of \(plain($0))" } ?? ""
    let from = plain(arrival.wire.start.text)
    return Diagnostic(
      "unlike-widths",
      "\(from) has \(channels(arrival.channels.count)), but \(plain(port)) has \(width)\(reason)",
      at: arrival.wire.start.mark,
      notes: [
        "wire that many channels, or one, which goes to all; select channels with \(plain(arrival.wire.start.id))[1]"
      ])
  }

  /// Wires that, side by side, do not fit a port.
  static func widths(_ list: [IncomingWire], _ port: String, _ width: Int) -> Diagnostic {
    if list.count == 1 { return widths(list[0], port, width, because: nil) }
    let total = list.reduce(0) { $0 + $1.channels.count }
    return Diagnostic(
      "unlike-widths",
      "the \(list.count) wires have \(channels(total)) in total, but \(port) has \(width)",
      at: list[0].wire.end.mark, notes: ["wire that many channels, or one, which goes to all"])
  }

  static func channels(_ count: Int) -> String { count == 1 ? "1 channel" : "\(count) channels" }

  static func unknownChannel(
    _ name: String, of owner: String, _ channels: [Channel], at mark: SourceRange, suggesting: Bool
  ) -> Diagnostic {
    guard suggesting else {
      return Diagnostic(
        "unknown-channel", "\(plain(owner)) has no channel \(quote(name))", at: mark,
        notes: ["its channels have numbers 1…\(channels.count)"])
    }
    let names = channels.compactMap(\.name)
    let known = names.isEmpty ? "its channels have no names" : "its channels are \(some(names))"
    return Diagnostic(
      "unknown-channel", "\(plain(owner)) has no channel \(quote(name))", at: mark,
      notes: didYouMean(name, names) + ["\(known); numbers 1…\(channels.count)"])
  }

  static func noChannels(_ from: String, _ port: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "no-channels", "\(plain(from)) has no output channels, so the wire to \(plain(port)) carries nothing",
      at: mark,
      notes: ["give the node channels, or remove the wire"])
  }

  /// `number` is `Int.max` if the number in the file is too large to read.
  static func noSuchChannel(_ number: Int, of owner: String, count: Int, at mark: SourceRange) -> Diagnostic {
    let shown = number == Int.max ? "a larger number" : "channel \(number)"
    let has = count == 0 ? "no channels" : channels(count)
    return Diagnostic(
      "unknown-channel", "\(plain(owner)) has \(has), but \(shown) is selected", at: mark)
  }

  static func longSelector(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-long", "one [ ] has more than \(Limits.selectorParts) numbers, ranges and names", at: mark,
      notes: ["a range selects many channels at once: 1-16"])
  }

  static func channelZero(at mark: SourceRange) -> Diagnostic {
    Diagnostic("unknown-channel", "channels are counted from 1", at: mark)
  }

  static func reversedRange(_ low: Int, _ high: Int, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-channel", "the range \(low)-\(high) is reversed", at: mark,
      notes: ["write \(high)-\(low)"])
  }

  static func targetByName(_ port: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-channel", "at the end of a wire, channels are selected by number, not by name", at: mark,
      notes: ["write \(plain(port))[1]"])
  }

  static func targetMissing(_ port: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unplaced", "other wires to \(port) state a channel, but this one does not", at: mark,
      notes: ["write \(port)[1], or remove the numbers from all of these wires"])
  }

  static func targetTaken(_ number: Int, of port: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "channel-taken", "channel \(number) of \(port) already has a wire, and levels cannot be added", at: mark
    )
  }

  static func targetEmpty(_ number: Int, of port: String, _ width: Int, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "channel-empty", "\(port) has \(channels(width)), but channel \(number) has no wire", at: mark)
  }

  static func tooManyChannels(_ owner: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-many-channels", "\(plain(owner)) would have more than \(Limits.channels) channels", at: mark)
  }

  static func tooManyWires(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-long", "the file has more than \(Limits.wires) wires, the limit of a graph", at: mark)
  }

  static func tooManyWiredChannels(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-many-channels",
      "the wires and nodes of this graph have more than \(Limits.wiredChannels) channels in total",
      at: mark)
  }

  static func wiredTwice(_ wire: Wire) -> Diagnostic {
    Diagnostic(
      "wired-twice", "the wire from \(plain(wire.start.text)) to \(plain(wire.end.text)) is repeated",
      at: wire.end.mark)
  }

  static func unused(_ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic("unused-node", "the node \(plain(id)) has no wires", at: mark)
  }
}
