import Controls
import Engine
import Graphs
import OSC
import System

/// Topics that pages subscribe to; each is sent when it changes.
enum ViewTopic: String, CaseIterable {
  /// Nodes, wires, settings with their declarations.
  case graph
  /// Diagnostics of the graph file as it was read last.
  case faults
  /// The graph file: live settings that it lacks, and the result of the last save.
  case file
  /// Targets with their state and counters.
  case targets
  /// Universes as they are sent, and colors of fixtures.
  case lights
  /// Playlists and covers of players.
  case players
  /// The ports of the sound server and their connections.
  case jack
  /// Events of nodes: triggers, gates, ends of files.
  case events
}

/// A request of a page.
enum ViewRequest {
  /// Carry out a message of the control port.
  case send(Message)
  /// Subscribe to a pattern, `rate` times a second; 0: unsubscribe.
  case listen(FeedbackPattern, rate: Double)
  /// Subscribe to these topics, and no others.
  case watch(Set<ViewTopic>)
  /// Answer with the clock, and return this value.
  case ping(Json)
  /// Connect two ports of the sound server, or disconnect them.
  case connect(from: String, to: String, isMade: Bool)
  /// Follow the stage, or stop. `handsOn`: the client is a relay.
  case stage(Bool, handsOn: Bool)
  /// Send the state of an emitter, by number.
  case state(UInt16)
  /// Send the samples of a channel; nil: stop.
  case sound(SoundChannel?)
  /// Send the LEDs of a node; nil: stop.
  case leds(String?)
  /// OSCQuery's LISTEN (true) and IGNORE.
  case packets(of: String, isWanted: Bool)
}

/// Why a message of a page is refused.
enum ViewFault: Error, Equatable {
  /// It is no JSON object.
  case noObject
  /// An unknown key.
  case unknown(String)
  /// The value of a key is invalid.
  case argument(String, takes: String)
  /// The client has no right to steer.
  case mayNot
  /// A relay does not support the request.
  case relay
  /// A limit of one client is exceeded.
  case tooMuch(String)
  /// The control side refuses it.
  case control(ControlError)

  /// A bundle exceeds the rate limit of messages.
  static let flood = tooMuch(
    "more than \(Int(ViewRequest.mostPerSecond)) messages came within a second; the rest of this bundle is left out"
  )

  /// A code for programs, which never changes once released.
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
      "a relay passes on the stage, the master and the blackout, and nothing else: commands and other values are "
        + "with the show itself"
    case .tooMuch(let what): what
    case .control(let error): error.description
    }
  }
}

extension ViewRequest {
  /// The valid keys.
  static let keys = [
    "send", "listen", "watch", "ping", "connect", "disconnect", "stage", "state", "sound", "leds",
  ]
  /// The maximum number of messages a second of one client, also in one burst.
  static let mostPerSecond = 500.0
  /// The maximum number of settings, arguments or topics in a message.
  static let most = 256

  /// Reads the requests in a message.
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
    // `rate` is an argument of `listen`.
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
        throw .argument(key, takes: "true, false, or \"relay\" for a client that passes it on to others")
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

  /// Reads a command of OSCQuery.
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
  /// The OSC argument for a value; nil: OSC has none.
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

  /// Parses JSON; nil: the text is none.
  init?(reading text: String) {
    guard let read = JsonReader.value(in: Array(text.utf8), as: Json.self) else { return nil }
    self = read
  }
}
