public import OSC

/// What a graph does by itself when something happens to the show as a whole (`hooks:`). [control]
public struct ShowHooks: FieldRecord, FieldValue {
  /// How long nothing has to be heard until that is silence, in seconds.
  public var after = 30.0
  /// What is not as loud is silence: peaks of the graph's meters, in dBFS.
  public var below = -60.0
  /// How long the sound server has to be gone until that is a loss, in seconds.
  public var settle = 3.0
  private var actions: [LifeEvent: [GraphMessage]] = [:]

  /// Nothing is done.
  public init() {}

  /// What is done when something happens, in order.
  public internal(set) subscript(event: LifeEvent) -> [GraphMessage] {
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
        .oneOf([GraphMessage.kind, .list(GraphMessage.kind, count: 0...Limits.hookActions)]),
        "What is done when \(event.moment).")
    }
}
