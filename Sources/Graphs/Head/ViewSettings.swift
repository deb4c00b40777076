public import OSC
import _StringProcessing

/// Settings of the pages: the address, the allowed viewers, keys and host names. [control]
public struct ViewSettings: ListenSettings {
  /// The address that the pages are served at; none unless the graph has one.
  public var listen = ListenPlace.off
  /// The allowed viewers besides this machine; nil: the file names none.
  public var allow: AllowedPeers?
  /// The keys for other machines.
  public var key = ViewKeys()
  /// Host names and addresses that open the pages, besides those of this machine.
  public var names: [String] = []

  /// Makes settings that serve no pages.
  public init() {}

  /// The name of the record in the docs.
  public static let recordName = "view"
  /// The fields, in the order of the docs.
  public static let fields: [Field<ViewSettings>] = [
    Field(
      "listen", \.listen, change: .restart,
      "Where the pages are served: on (port 7780 of this machine, or the next that is free), a port, ADDRESS:PORT or "
        + "\"[IPV6]:PORT\" (0.0.0.0 and \"[::]\" are all its addresses), or off. Other machines get them only if `allow` "
        + "says which."),
    Field(
      "allow", \.allow, change: .restart,
      "Who may open the pages besides this machine: addresses and networks such as 192.168.1.0/24, or `any`."),
    Field(
      "key", \.key, change: .restart, isSecret: true,
      "What others have in the address, as in /desk?key=WORD: a single word is for the desk and leaves the stage to "
        + "all whom `allow` admits; `{ stage: WORD, desk: WORD }` tells viewers and desks apart. Other machines need "
        + "it, and pages of "
        + "other origins. It goes over the network as plain text: it keeps out mistakes and guests, but not an "
        + "eavesdropper."),
    Field(
      "names", \.names, .oneOf([name, .list(name, count: 1...64)]), change: .restart,
      "Names by which the pages are opened besides those of this machine, such as stage.example.org: those of a proxy, of a "
        + "router that leads here, or of the name server. Under any other name a page is refused, since a web site "
        + "could have pointed its own name at this machine (DNS rebinding). This machine's are localhost, its host "
        + "name, that with .local after it, and its addresses."),
  ]

  private static let namePattern = "^([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$"
  private static let name = ValueKind.text(
    pattern: namePattern, form: "a name or an address alone, without http:// and port")

  /// Whether a text is valid in `names`.
  public static func isName(_ text: String) -> Bool {
    (try? Regex(namePattern)).flatMap { try? $0.wholeMatch(in: text) } != nil
  }
}

extension SecretMask {
  /// A mask of the keys of a show.
  public init(_ control: ControlSettings, _ view: ViewSettings) {
    self.init([control.key, view.key.stage, view.key.desk].compactMap(\.self))
  }
}

/// The keys that open the pages to other machines.
public struct ViewKeys: FieldRecord, FieldValue, Equatable {
  /// The key of the stage; nil: none.
  public var stage: String?
  /// The key of the desk, which opens the stage as well; nil: none.
  public var desk: String?

  /// Makes keys that are not set.
  public init() {}

  /// The name of the record in the docs.
  public static let recordName = "view key"
  private static let word = ValueKind.text(
    pattern: "^[A-Za-z0-9._~-]{8,200}$", form: "8 to 200 letters, digits, and . _ ~ -")
  /// One word for the desk, or a record with both keys.
  public static let kind = ValueKind.oneOf([word, .record(ViewKeys.self)])
  /// The fields, in the order of the docs.
  public static let fields: [Field<ViewKeys>] = [
    Field("stage", \.stage, word, change: .restart, "The key of viewers."),
    Field(
      "desk", \.desk, word, change: .restart,
      "The key of those who control the show; it opens the stage as well."),
  ]

  /// Reads the value; nil after reporting a fault.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> ViewKeys? {
    var keys = ViewKeys()
    guard let pairs = tree.map else {
      guard let text = String.read(tree, as: word, context) else { return nil }
      keys.desk = text
      return keys
    }
    let before = context.count
    keys.read(pairs, in: recordName, context)
    return context.count == before ? keys : nil
  }
}
