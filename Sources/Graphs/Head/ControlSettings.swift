public import OSC

/// Settings of the control port: its address, the allowed senders, and subscribers. [control]
public struct ControlSettings: ListenSettings {
  /// The address that messages are received at.
  public var listen = ListenPlace.standard
  /// The allowed senders besides this machine; nil: the file names none.
  public var allow: AllowedPeers?
  /// The key that other machines send first; nil: none.
  public var key: String?
  /// Targets that are sent feedback without subscribing.
  public var feedback: [Endpoint] = []

  /// Makes the defaults: this machine alone, at the usual port.
  public init() {}

  /// The port in the log: its address, and the allowed senders besides this machine.
  public func place(of address: ListenAddress) -> String {
    address.isLoopback
      ? "\(address)" : "\(address) from \(AllowedPeers.words(allow))\(key == nil ? "" : " with the key")"
  }

  /// The name of the record in the docs.
  public static let recordName = "control"
  /// The fields, in the order of the docs.
  public static let fields: [Field<ControlSettings>] = [
    Field(
      "listen", \.listen, change: .restart,
      "Where OSC is taken: a port of this machine, ADDRESS:PORT or \"[IPV6]:PORT\" (0.0.0.0 and \"[::]\" are all its "
        + "addresses), on (the usual port, or the next that is free), or off. Other machines are heard only if `allow` says which."
    ),
    Field(
      "allow", \.allow, change: .restart,
      "Who may send besides this machine: addresses and networks such as 192.168.1.0/24, or `any`."),
    Field(
      "key", \.key,
      .text(pattern: "^[!-~]{8,200}$", form: "8 to 200 letters, digits and signs of ASCII, without spaces"),
      change: .restart, isSecret: true,
      "The key that other machines send first, as /visgraph/key KEY. It goes over the "
        + "network as plain text: it keeps out mistakes and guests, but not an eavesdropper."),
    Field(
      "feedback", \.feedback, .oneOf([.text(pattern: EndpointPattern.text), .list(.text(), count: 1...16)]),
      change: .restart,
      "HOST:PORT that is sent the state of the show, as a permanent subscriber; or a list of them."),
  ]
}

private enum EndpointPattern {
  static let text = "^(osc\\.udp://)?.+:[0-9]+/?$"
}

extension Endpoint: FieldValue {
  /// The default kind of a field of this type.
  public static let kind = ValueKind.text(pattern: EndpointPattern.text)

  /// Reads the value; nil after reporting a fault.
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

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { yamlText(description) }
}
