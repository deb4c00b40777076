public import OSC

/// The actions of a graph on events of its life cycle (`hooks:`). [control]
public struct ShowHooks: FieldRecord, FieldValue {
  /// How long the peaks must stay below the threshold before that counts as silence, in seconds.
  public var after = 30.0
  /// The threshold of silence, in dBFS; the graph's meters measure the peaks.
  public var below = -60.0
  /// How long the sound server must be gone before that counts as a loss, in seconds.
  public var settle = 3.0
  private var actions: [LifeEvent: [GraphMessage]] = [:]

  /// Makes hooks without actions.
  public init() {}

  /// The messages of an event, in order.
  public internal(set) subscript(event: LifeEvent) -> [GraphMessage] {
    get { actions[event] ?? [] }
    set { actions[event] = newValue.isEmpty ? nil : newValue }
  }

  /// The events that have actions, in the order of the docs.
  public var events: [LifeEvent] { LifeEvent.allCases.filter { actions[$0] != nil } }

  /// The targets outside the show.
  public var endpoints: Set<Endpoint> { Set(actions.values.joined().compactMap(\.text.endpoint)) }

  /// The name of the record in the docs.
  public static let recordName = "hooks"
  /// The fields, in the order of the docs.
  public static let fields: [Field<ShowHooks>] =
    [
      Field(
        "after", \.after, .number(.seconds, 0.1...86_400),
        "How long nothing must be heard before that is silence."),
      Field(
        "below", \.below, .number(.decibels, -159...0),
        "Sound whose peaks, as the meters of the graph measure them, are below this level is silence. A graph "
          + "without a meter knows neither silence nor sound, and is active while something plays."),
      Field(
        "settle", \.settle, .number(.seconds, 0...3600),
        "How long the sound server must be gone, or run no cycles, before that is `server-lost`: a busy machine "
          + "delays it for moments. A timer drives the lights at once."),
    ]
    + LifeEvent.allCases.map { event in
      Field(
        event.rawValue, \ShowHooks.[event],
        .oneOf([GraphMessage.kind, .list(GraphMessage.kind, count: 0...Limits.hookActions)]),
        "What is done when \(event.moment).")
    }
}
