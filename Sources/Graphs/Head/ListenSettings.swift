public import OSC

/// Settings that the control port and the pages have in common: the address to listen at, and the allowed peers.
/// [control]
public protocol ListenSettings: FieldRecord, FieldValue {
  /// The address to listen at.
  var listen: ListenPlace { get set }
  /// The allowed peers besides this machine; nil: the file names none.
  var allow: AllowedPeers? { get set }
}

/// An address to listen at.
public enum ListenPlace: Sendable, Equatable {
  /// The usual port of this machine, or the next free one.
  case standard
  /// This address alone.
  case at(ListenAddress)
  /// None.
  case off
}

extension ListenSettings {
  /// Reads the settings. An address that other machines can reach requires `allow`.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self? {
    if tree.isNothing { return Self() }
    guard let pairs = tree.map else {
      let quiet = ReadContext(fps: context.fps, stage: context.stage, folder: context.folder)
      let isPlace = tree.text != nil && ListenPlace.read(tree, as: ListenPlace.kind, quiet) != nil
      noteSecret(in: tree, context)
      context.expected(
        kind.words, tree,
        notes: [isPlace ? "write \(context.subject): { listen: \(plain(tree.text ?? "")) }" : form])
      return nil
    }
    let before = context.count
    var settings = Self()
    settings.read(pairs, in: recordName, context)
    if let open = settings.openToAll, let pair = pairs.first(where: { $0.key.text == "listen" }) {
      context.report(.openToAll(context.subject, open, at: pair.value.mark, code: "\(recordName)-open"))
    }
    return context.count == before ? settings : nil
  }

  /// The address that other machines can reach although `allow` is missing; nil where there is none.
  public var openToAll: ListenAddress? {
    guard case .at(let address) = listen, !address.isLoopback, allow == nil else { return nil }
    return address
  }
}

extension ListenPlace: FieldValue {
  /// The default kind of a field of this type.
  public static let kind = ValueKind.oneOf([
    .choice([
      ValueKind.Choice("on", "the usual port of this machine, or the next that is free"),
      ValueKind.Choice("off", "nowhere"),
    ]), .number(.none, 1...65535, whole: true),
    .text(pattern: "^.+:[0-9]{1,5}$"),
  ])

  /// Reads the value; nil after reporting a fault.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Self? {
    guard let text = tree.text, !tree.isNothing else {
      let notes = tree.list == nil ? [] : ["put an IPv6 address in quotes: \"[::]:7770\""]
      context.expected("a port, ADDRESS:PORT, \"[IPV6]:PORT\", on or off", tree, notes: notes)
      return nil
    }
    if text == "off" { return .off }
    if text == "on" { return .standard }
    do throws(OSCError) { return .at(try ListenAddress(text)) } catch {
      context.report(.notForOSC(context.subject, error, at: tree.mark))
      return nil
    }
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String {
    switch self {
    case .standard: "on"
    case .at(let address): yamlText("\(address)")
    case .off: "off"
    }
  }
}

extension AllowedPeers: FieldValue {
  /// The default kind of a field of this type.
  public static let kind = ValueKind.oneOf([
    .choice([ValueKind.Choice("any", "any machine that reaches it")]),
    .text(pattern: "^[0-9A-Fa-f:.]+(/[0-9]+)?$"),
    .list(.text(pattern: "^[0-9A-Fa-f:.]+(/[0-9]+)?$"), count: 1...64),
  ])

  /// Reads the value; nil after reporting a fault.
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

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String {
    switch self {
    case .any: "any"
    case .networks(let networks): "[\(networks.map(\.description).joined(separator: ", "))]"
    }
  }
}

extension Diagnostic {
  static func notForOSC(_ subject: String, _ fault: OSCError, at mark: SourceRange) -> Diagnostic {
    Diagnostic(fault.code, "\(subject): \(fault)", at: mark)
  }

  fileprivate static func openToAll(
    _ subject: String, _ address: ListenAddress, at mark: SourceRange, code: String
  ) -> Diagnostic {
    Diagnostic(
      code,
      "\(subject).listen is \(address), which other machines can reach, but allow: is missing",
      at: mark,
      notes: [
        "add allow: with addresses or networks, such as allow: [192.168.1.0/24]; or allow: any for all machines"
      ])
  }
}
