public import OSC

/// What a graph file says of the control port: where it is, who may, and who is told. [control]
public struct ControlSettings: FieldRecord, FieldValue {
  /// Where messages are taken.
  public enum Listen: Sendable, Equatable {
    /// At the usual port of this machine, or the next that is free.
    case standard
    /// Here and nowhere else.
    case at(ListenAddress)
    /// Nowhere.
    case off
  }

  /// Where messages are taken.
  public var listen = Listen.standard
  /// Who may send them besides this machine; nil where nothing is said.
  public var allow: AllowedPeers?
  /// What others have to send first; nil: nothing.
  public var key: String?
  /// Who is told how the show stands without asking.
  public var feedback: [Endpoint] = []

  /// This machine alone, at the usual port.
  public init() {}

  /// What the docs call it.
  public static let recordName = "control"
  /// Its settings, in the order of the docs.
  public static let fields: [Field<ControlSettings>] = [
    Field(
      "listen", \.listen, change: .restart,
      "Where OSC is taken: a port of this machine, ADDRESS:PORT or \"[IPV6]:PORT\" (0.0.0.0 and \"[::]\" are all its "
        + "addresses), or off. Other machines are heard only if `allow` says which."),
    Field(
      "allow", \.allow, change: .restart,
      "Who may send besides this machine: addresses and networks such as 192.168.1.0/24, or `any`."),
    Field(
      "key", \.key, .text(pattern: "^[!-~]{8,200}$"), change: .restart,
      "What other machines send first, as /visgraph/key KEY: 8 to 200 characters of ASCII without spaces. It goes over "
        + "the network as plain text: it keeps out mistakes and guests, not whoever reads along."),
    Field(
      "feedback", \.feedback, .oneOf([.text(pattern: EndpointPattern.text), .list(.text(), count: 1...16)]),
      change: .restart,
      "HOST:PORT that is told how the show stands, as if it had subscribed for good; or a list of them."),
  ]

  /// Reads it; whoever opens it to others must say to whom.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> ControlSettings? {
    if tree.isNothing { return ControlSettings() }
    guard let pairs = tree.map else {
      context.expected(kind.words, tree)
      return nil
    }
    let before = context.count
    var settings = ControlSettings()
    settings.read(pairs, in: recordName, context)
    if let open = settings.openToAll, let pair = pairs.first(where: { $0.key.text == "listen" }) {
      context.report(.openControl(context.subject, open, at: pair.value.mark))
    }
    return context.count == before ? settings : nil
  }

  /// Where it listens to other machines without a word who may; nil when all is well.
  public var openToAll: ListenAddress? {
    guard case .at(let address) = listen, !address.isLoopback, allow == nil else { return nil }
    return address
  }
}

private enum EndpointPattern {
  static let text = "^(osc\\.udp://)?.+:[0-9]+/?$"
}

extension ControlSettings.Listen: FieldValue {
  /// The kind when a declaration names none.
  public static let kind = ValueKind.oneOf([
    .choice([ValueKind.Choice("off", "no messages are taken")]), .number(.none, 1...65535, whole: true),
    .text(pattern: "^.+:[0-9]{1,5}$"),
  ])

  /// Reads it; when it is at fault that goes to `context`, and the result is nil.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self? {
    guard let text = tree.text, !tree.isNothing else {
      let notes = tree.list == nil ? [] : ["put an IPv6 address in quotes: \"[::]:7770\""]
      context.expected("a port, ADDRESS:PORT, \"[IPV6]:PORT\" or off", tree, notes: notes)
      return nil
    }
    if text == "off" { return .off }
    do throws(OSCError) { return .at(try ListenAddress(text)) } catch {
      context.report(.notForOSC(context.subject, error, at: tree.mark))
      return nil
    }
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String {
    switch self {
    case .standard: "the usual port"
    case .at(let address): yamlText("\(address)")
    case .off: "off"
    }
  }
}

extension AllowedPeers: FieldValue {
  /// The kind when a declaration names none.
  public static let kind = ValueKind.oneOf([
    .choice([ValueKind.Choice("any", "any machine that reaches it")]),
    .text(pattern: "^[0-9A-Fa-f:.]+(/[0-9]+)?$"),
    .list(.text(pattern: "^[0-9A-Fa-f:.]+(/[0-9]+)?$"), count: 1...64),
  ])

  /// Reads it; when it is at fault that goes to `context`, and the result is nil.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self? {
    if tree.text == "any" { return .any }
    guard let trees = tree.list ?? (tree.text != nil && !tree.isNothing ? [tree] : nil),
      (1...64).contains(trees.count)
    else {
      context.expected("addresses or networks in a list, 1 to 64, or any", tree)
      return nil
    }
    var networks: [Network] = []
    for tree in trees {
      guard let text = tree.text, !tree.isNothing else {
        context.expected("an address or a network", tree)
        continue
      }
      do throws(OSCError) { networks.append(try Network(text)) } catch {
        context.report(.notForOSC(context.subject, error, at: tree.mark))
      }
    }
    return networks.count == trees.count ? .networks(networks) : nil
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String {
    switch self {
    case .any: "any"
    case .networks(let networks): "[\(networks.map(\.description).joined(separator: ", "))]"
    }
  }
}

extension Endpoint: FieldValue {
  /// The kind when a declaration names none.
  public static let kind = ValueKind.text(pattern: EndpointPattern.text)

  /// Reads it; when it is at fault that goes to `context`, and the result is nil.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Endpoint? {
    guard let text = tree.text, !tree.isNothing else {
      context.expected("HOST:PORT", tree)
      return nil
    }
    do throws(OSCError) { return try Endpoint(text) } catch {
      context.report(.notForOSC(context.subject, error, at: tree.mark))
      return nil
    }
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String { yamlText(description) }
}

extension Diagnostic {
  fileprivate static func notForOSC(_ subject: String, _ fault: OSCError, at mark: SourceRange) -> Diagnostic
  {
    Diagnostic(fault.code, "\(subject): \(fault)", at: mark)
  }

  fileprivate static func openControl(_ subject: String, _ address: ListenAddress, at mark: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "control-open",
      "\(subject).listen is \(address), where other machines reach it, and nothing says who may",
      at: mark,
      notes: [
        "add allow: with addresses or networks, such as allow: [192.168.1.0/24]; or allow: any for everybody"
      ])
  }
}
