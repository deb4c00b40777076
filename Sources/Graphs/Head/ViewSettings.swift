public import OSC
import _StringProcessing

/// What a graph file says of the pages: where they are served, who may open them, and what others must know. [control]
public struct ViewSettings: ListenSettings {
  /// Where they are served; nowhere unless asked for.
  public var listen = ListenPlace.off
  /// Who may open them besides this machine; nil where nothing is said.
  public var allow: AllowedPeers?
  /// What others must know.
  public var key = ViewKeys()
  /// Names and addresses by which the pages are opened, besides those of this machine.
  public var names: [String] = []

  /// Served nowhere.
  public init() {}

  /// What the docs call it.
  public static let recordName = "view"
  /// Its settings, in the order of the docs.
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
      "What others have in the address, as in /desk?key=WORD: one word is for the desk and leaves the stage to everybody "
        + "who is allowed; `{ stage: WORD, desk: WORD }` tells viewers and desks apart. Other machines need it, and pages of "
        + "other origins. It goes over the network as plain text: it keeps out mistakes and guests, but nobody who reads "
        + "along."),
    Field(
      "names", \.names, .oneOf([name, .list(name, count: 1...64)]), change: .restart,
      "Names by which the pages are opened besides those of this machine, such as stage.example.org: those of a proxy, of a "
        + "router that leads here, or of the name server. Under any other name a page is refused, since a web site could "
        + "have turned its own to this machine. This machine's are localhost, its host name, that with .local behind it, "
        + "and its addresses."),
  ]

  private static let namePattern = "^([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$"
  private static let name = ValueKind.text(
    pattern: namePattern, form: "a name or an address alone, without http:// and port")

  /// Whether a text is one of `names`.
  public static func isName(_ text: String) -> Bool {
    (try? Regex(namePattern)).flatMap { try? $0.wholeMatch(in: text) } != nil
  }
}

extension SecretMask {
  /// One that knows the keys of a show.
  public init(_ control: ControlSettings, _ view: ViewSettings) {
    self.init([control.key, view.key.stage, view.key.desk].compactMap(\.self))
  }
}

/// The words that open the pages to others.
public struct ViewKeys: FieldRecord, FieldValue, Equatable {
  /// To look on; nil: nothing.
  public var stage: String?
  /// To steer, and to look on as well; nil: nothing.
  public var desk: String?

  /// None.
  public init() {}

  /// What the docs call it.
  public static let recordName = "view key"
  private static let word = ValueKind.text(
    pattern: "^[A-Za-z0-9._~-]{8,200}$", form: "8 to 200 letters, digits, and . _ ~ -")
  /// A word for the desk, or words for both.
  public static let kind = ValueKind.oneOf([word, .record(ViewKeys.self)])
  /// Its settings, in the order of the docs.
  public static let fields: [Field<ViewKeys>] = [
    Field("stage", \.stage, word, change: .restart, "What viewers need."),
    Field("desk", \.desk, word, change: .restart, "What those need who steer; it opens the stage as well."),
  ]

  /// Reads it; when it is at fault that goes to `context`, and the result is nil.
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
