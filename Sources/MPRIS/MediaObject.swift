/// The player as an object on the bus: answers calls. Knows no bus. [desktop]
struct MediaObject {
  /// What it says of itself.
  let properties: MediaProperties

  /// What a call is answered with.
  enum Answer: Equatable {
    /// It is done, and there is nothing to say.
    case done
    /// A value; packed as one of any type where the method promises no type.
    case value(BusValue, isAny: Bool)
    case fault(BusFault)
  }

  private static let methods: [(interface: String, members: [String: String])] = [
    (BusNames.root, ["Raise": "", "Quit": ""]),
    (
      BusNames.player,
      [
        "Next": "", "Previous": "", "Pause": "", "PlayPause": "", "Stop": "", "Play": "", "Seek": "x",
        "SetPosition": "ox", "OpenUri": "s",
      ]
    ),
    (BusNames.properties, ["Get": "ss", "GetAll": "s", "Set": "ssv"]),
    (BusNames.introspection, ["Introspect": ""]),
  ]

  /// Answers a call, and says what it asks of the player.
  func answer(_ call: BusCall, _ facts: () -> MediaFacts) -> (Answer, MediaRequest?) {
    do {
      guard call.path == BusNames.object else { return (try elsewhere(call), nil) }
      let interface = try checked(call)
      switch interface {
      case BusNames.root: return (.done, call.member == "Quit" ? .quit : nil)
      case BusNames.player: return (.done, try MediaCalls(properties, facts()).request(call))
      case BusNames.introspection: return (.value(.text(Introspection.player), isAny: false), nil)
      default: return try property(call, facts)
      }
    } catch {
      return (.fault(error), nil)
    }
  }

  /// The interface that a call means, if it has such a method and the arguments are of its types.
  private func checked(_ call: BusCall) throws(BusFault) -> String {
    if let name = call.interface, !Self.methods.contains(where: { $0.interface == name }) {
      throw .unknownInterface(name)
    }
    for (interface, members) in Self.methods where call.interface == nil || call.interface == interface {
      guard let takes = members[call.member] else { continue }
      guard takes == call.signature else {
        throw .arguments(call.member, takes: takes, got: call.signature)
      }
      return interface
    }
    throw .unknownMethod(call.member)
  }

  /// Objects on the way to the player only say what is below them.
  private func elsewhere(_ call: BusCall) throws(BusFault) -> Answer {
    guard call.member == "Introspect", call.interface == nil || call.interface == BusNames.introspection,
      let below = Introspection.below(call.path)
    else { throw .unknownObject(call.path) }
    return .value(.text(below), isAny: false)
  }

  // MARK: - Properties

  private func property(_ call: BusCall, _ facts: () -> MediaFacts) throws(BusFault) -> (
    Answer, MediaRequest?
  ) {
    guard case .text(let interface)?? = call.arguments.first else { throw .unknownInterface("") }
    let all: [BusEntry]
    switch interface {
    case BusNames.root: all = properties.program
    case BusNames.player: all = properties.player(facts())
    case BusNames.properties, BusNames.introspection: all = []
    default: throw .unknownInterface(interface)
    }
    if call.member == "GetAll" { return (.value(.entries(all), isAny: false), nil) }
    guard case .text(let name)? = call.arguments[1] else { throw .unknownProperty("") }
    guard let entry = all.first(where: { $0.name == name }) else { throw .unknownProperty(name) }
    if call.member == "Get" { return (.value(entry.value, isAny: true), nil) }
    guard interface == BusNames.player else { throw .readOnly(name) }
    return (.done, try MediaCalls.set(name, to: call.arguments[2]))
  }
}
