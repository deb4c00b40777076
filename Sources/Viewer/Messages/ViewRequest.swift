import Controls
import Engine
import Graphs
import OSC
import System

/// Facts of a show that are sent as they change.
enum ViewTopic: String, CaseIterable {
  /// Nodes, wires, settings with their declarations.
  case graph
  /// What is wrong with the graph file as it stands now.
  case faults
  /// The graph file, what was set and is not in it, and what came of saving.
  case file
  /// Where levels go to, with counters.
  case targets
  /// Universes as they go out, and the light of fixtures.
  case lights
  /// What players have before them: their lists, and the cover of what is heard.
  case players
  /// The ports of the sound server, and which are connected.
  case jack
  /// What happens: triggers, gates, ends of files.
  case events
}

/// Something that a page asks for.
enum ViewRequest {
  /// A message of the control port is to be carried out.
  case send(Message)
  /// What fits a pattern is to be sent, so often a second; 0: no more.
  case listen(FeedbackPattern, rate: Double)
  /// These facts are to be sent, and no others.
  case watch(Set<ViewTopic>)
  /// The clock is asked for; what came is sent back.
  case ping(Json)
  /// Two ports of the sound server are to be connected, or not any more.
  case connect(from: String, to: String, isMade: Bool)
  /// The stage is to be followed, or no more; `handsOn`: to be handed on to others.
  case stage(Bool, handsOn: Bool)
  /// An emitter's whole state is needed, by its number.
  case state(UInt16)
  /// The samples of a channel are to be sent as they come; nil: no more of any.
  case sound(SoundChannel?)
  /// The LEDs of a node are to be shown as they are lit; nil: no more of any.
  case leds(String?)
  /// OSCQuery's LISTEN and IGNORE.
  case packets(of: String, isWanted: Bool)
}

/// Why nothing is done of what a page has sent.
enum ViewFault: Error, Equatable {
  /// It is not JSON, or no object.
  case noObject
  /// There is no such key.
  case unknown(String)
  /// What stands behind a key is not what it takes.
  case argument(String, takes: String)
  /// Its sender may only look on.
  case mayNot
  /// It is asked of a relay.
  case relay
  /// More is wanted than is sent to one.
  case tooMuch(String)
  /// The control side refuses it.
  case control(ControlError)

  /// A bundle holds more messages than are taken within a second.
  static let flood = tooMuch(
    "more than \(Int(ViewRequest.mostPerSecond)) messages came within a second; the rest of this bundle is left out"
  )

  /// A name for programs, which never changes once released.
  var code: String {
    switch self {
    case .noObject: "view-json"
    case .unknown: "view-unknown"
    case .argument: "view-argument"
    case .mayNot: "view-key"
    case .relay: "view-relay"
    case .tooMuch: "view-too-much"
    case .control(let error): error.code
    }
  }

  /// The sentence: what is wrong, what is allowed.
  var reason: String {
    switch self {
    case .noObject: "a message is one object of JSON, such as {\"listen\": \"/visgraph/level\"}"
    case .unknown(let key):
      "there is no \(key.prefix(40)); there are: \(ViewRequest.keys.joined(separator: ", "))"
    case .argument(let key, let takes): "\(key) takes \(takes)"
    case .mayNot: "this connection may only look on; the desk's key is needed to steer"
    case .relay:
      "a relay hands on the stage, the master and the blackout, and nothing else: what steers and what is told is with the show itself"
    case .tooMuch(let what): what
    case .control(let error): error.description
    }
  }
}

extension ViewRequest {
  /// The keys that are understood.
  static let keys = [
    "send", "listen", "watch", "ping", "connect", "disconnect", "stage", "state", "sound", "leds",
  ]
  /// Messages a second that are taken of one client, and at once after a rest.
  static let mostPerSecond = 500.0
  /// The most settings, arguments or facts of one message.
  static let most = 256

  /// Reads what a message asks for.
  static func read(_ text: String) throws(ViewFault) -> [ViewRequest] {
    guard case .object(let pairs)? = Json(reading: text), !pairs.isEmpty, pairs.count <= keys.count,
      Set(pairs.map(\.0)).count == pairs.count
    else {
      throw .noObject
    }
    if let command = pairs.first(where: { $0.0 == "COMMAND" }) {
      return try query(command.1, pairs.first { $0.0 == "DATA" }?.1)
    }
    var requests: [ViewRequest] = []
    // A rate belongs to what is listened to.
    for (key, value) in pairs where key != "rate" {
      requests.append(try one(key, value, pairs))
    }
    return requests
  }

  private static func one(
    _ key: String, _ value: Json, _ pairs: [(String, Json)]
  ) throws(ViewFault) -> ViewRequest {
    switch key {
    case "send": return try send(value)
    case "listen": return try listen(value, rate: pairs.first { $0.0 == "rate" }?.1)
    case "watch": return try watch(value)
    case "ping": return .ping(value)
    case "connect", "disconnect": return try connect(key, value)
    case "stage":
      if case .string("relay") = value { return .stage(true, handsOn: true) }
      guard case .bool(let isWanted) = value else {
        throw .argument(key, takes: "true, false, or \"relay\" for who hands it on to others")
      }
      return .stage(isWanted, handsOn: false)
    case "state":
      guard case .number(let number) = value, let emitter = UInt16(exactly: number) else {
        throw .argument(key, takes: "the number of an emitter")
      }
      return .state(emitter)
    case "sound": return try sound(value)
    case "leds":
      if case .null = value { return .leds(nil) }
      guard case .string(let id) = value, id.utf8.count <= 512 else {
        throw .argument(key, takes: "the id of a node of LEDs; null ends it")
      }
      return .leds(id)
    default: throw .unknown(key)
    }
  }

  private static func send(_ value: Json) throws(ViewFault) -> ViewRequest {
    let takes = "an address of the control port and its arguments: [\"/visgraph/master\", 0.5]"
    guard case .array(let parts) = value, parts.count <= most, case .string(let address)? = parts.first
    else {
      throw .argument("send", takes: takes)
    }
    var arguments: [Argument] = []
    for part in parts.dropFirst() {
      guard let argument = part.argument else { throw .argument("send", takes: takes) }
      arguments.append(argument)
    }
    return .send(Message(address, arguments: arguments))
  }

  private static func listen(_ value: Json, rate given: Json?) throws(ViewFault) -> ViewRequest {
    guard case .string(let text) = value else {
      throw .argument("listen", takes: "a pattern such as \"/visgraph/level/*\"")
    }
    var rate = 10.0
    if let given {
      guard case .number(let number) = given, ShowFeed.rates.contains(number) else {
        throw .argument("rate", takes: "a number 0…\(shortest(ShowFeed.rates.upperBound)) a second")
      }
      rate = number
    }
    do throws(ControlError) { return .listen(try FeedbackPattern(text), rate: rate) } catch {
      throw .control(error)
    }
  }

  private static func watch(_ value: Json) throws(ViewFault) -> ViewRequest {
    let takes = "a list of \(ViewTopic.allCases.map(\.rawValue).joined(separator: ", "))"
    guard case .array(let values) = value, values.count <= most else {
      throw .argument("watch", takes: takes)
    }
    var topics: Set<ViewTopic> = []
    for value in values {
      guard case .string(let word) = value, let topic = ViewTopic(rawValue: word) else {
        throw .argument("watch", takes: takes)
      }
      topics.insert(topic)
    }
    return .watch(topics)
  }

  private static func connect(_ key: String, _ value: Json) throws(ViewFault) -> ViewRequest {
    guard case .array(let ports) = value, ports.count == 2, case .string(let from) = ports[0],
      case .string(let to) = ports[1],
      [from, to].allSatisfy({ (1...512).contains($0.utf8.count) && !$0.contains("\0") })
    else { throw .argument(key, takes: "the full names of two ports, the first of which gives sound") }
    return .connect(from: from, to: to, isMade: key == "connect")
  }

  private static func sound(_ value: Json) throws(ViewFault) -> ViewRequest {
    if case .null = value { return .sound(nil) }
    guard case .array(let parts) = value, parts.count == 3, case .string(let node) = parts[0],
      case .string(let output) = parts[1], case .number(let number) = parts[2],
      let channel = Int(exactly: number), channel > 0
    else {
      throw .argument(
        "sound", takes: "a node, an output of it and a channel from 1: [\"song\", \"audio\", 1]; null ends it"
      )
    }
    return .sound(SoundChannel(node: node, output: output, channel: channel - 1))
  }

  /// A command of OSCQuery.
  private static func query(_ command: Json, _ data: Json?) throws(ViewFault) -> [ViewRequest] {
    guard case .string(let word) = command, ["LISTEN", "IGNORE"].contains(word) else {
      throw .argument("COMMAND", takes: "LISTEN or IGNORE")
    }
    guard case .string(let address)? = data, address.utf8.count <= 512 else {
      throw .argument("DATA", takes: "an address")
    }
    return [.packets(of: address, isWanted: word == "LISTEN")]
  }
}

extension Json {
  /// The argument of a message that it stands for; nil where none does.
  var argument: Argument? {
    switch self {
    case .number(let number):
      if let whole = Int32(exactly: number) { return .int(whole) }
      return number.isFinite ? .double(number) : nil
    case .string(let text): return text.utf8.contains(0) ? nil : .string(text)
    case .bool(let flag): return .bool(flag)
    case .null: return .null
    case .object, .array: return nil
    }
  }

  /// Reads JSON; nil where it is none.
  init?(reading text: String) {
    guard let read = JsonReader.value(in: Array(text.utf8), as: Json.self) else { return nil }
    self = read
  }
}
