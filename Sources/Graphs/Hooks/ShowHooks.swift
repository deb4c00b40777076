public import OSC

/// What a graph does by itself when something happens to the show as a whole (`hooks:`). [control]
public struct ShowHooks: FieldRecord, FieldValue {
  /// How long nothing has to be heard until that is silence, in seconds.
  public var after = 30.0
  /// What is not as loud is silence: peaks of the graph's meters, in dBFS.
  public var below = -60.0
  /// How long the sound server has to be gone until that is a loss, in seconds.
  public var settle = 3.0
  private var actions: [LifeEvent: [HookAction]] = [:]

  /// Nothing is done.
  public init() {}

  /// What is done when something happens, in order.
  public internal(set) subscript(event: LifeEvent) -> [HookAction] {
    get { actions[event] ?? [] }
    set { actions[event] = newValue.isEmpty ? nil : newValue }
  }

  /// What happens and something is done then, in the order of the docs.
  public var events: [LifeEvent] { LifeEvent.allCases.filter { actions[$0] != nil } }

  /// The other programs that are sent to.
  public var endpoints: Set<Endpoint> { Set(actions.values.joined().compactMap(\.text.endpoint)) }

  /// What the docs call it.
  public static let recordName = "hooks"
  /// Its settings, in the order of the docs.
  public static let fields: [Field<ShowHooks>] =
    [
      Field(
        "after", \.after, .number(.seconds, 0.1...86_400),
        "How long nothing has to be heard until that is silence."),
      Field(
        "below", \.below, .number(.decibels, -159...0),
        "What is not as loud is silence: the peaks that the meters of the graph measure. A graph without a meter knows "
          + "neither silence nor sound, and is active while something plays."),
      Field(
        "settle", \.settle, .number(.seconds, 0...3600),
        "How long the sound server has to be gone, or to run no cycles, until that is `server-lost`: a busy machine holds it "
          + "up for moments. Lights go by a timer at once."),
    ]
    + LifeEvent.allCases.map { event in
      Field(
        event.rawValue, \ShowHooks.[event],
        .oneOf([HookAction.kind, .list(HookAction.kind, count: 0...Limits.hookActions)]),
        "What is done when \(event.moment).")
    }
}

/// Something that a hook does: a message to this show, as its control port takes it, or to another program. [any]
public struct HookAction: FieldValue {
  /// The message, and where it goes where that is not this show.
  public let text: MessageText
  /// As the file has it.
  public let source: String
  /// Where it stands.
  let mark: SourceRange

  /// The kind when a declaration names none.
  public static let kind = ValueKind.text(
    pattern: "^(/|[^ ]+:[0-9]+/)",
    form: "a message such as /visgraph/scene storm 2, or osc.udp://127.0.0.1:9000/alarm 1 to another program",
    isChecked: false)

  /// Reads it; when it is at fault that goes to `context`, and the result is nil.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> HookAction? {
    guard let text = tree.text, !tree.isNothing else {
      context.expected(kind.words, tree)
      return nil
    }
    do throws(OSCError) {
      return HookAction(text: try MessageText(text), source: text, mark: tree.mark)
    } catch {
      context.report(.notForOSC(context.subject, error, at: tree.mark))
      return nil
    }
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String { yamlText(source) }
}
