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
  /// Connect two ports of the sound server.
  case connect(from: String, to: String)
  /// Disconnect two ports of the sound server.
  case disconnect(from: String, to: String)
  /// Follow the stage, or stop.
  case stage(Bool, isRelay: Bool)
  /// Send the state of the emitter with this number.
  case emitterState(UInt16)
  /// Send the samples of a channel; nil: stop.
  case sound(SoundChannel?)
  /// Send the LEDs of a node; nil: stop.
  case leds(String?)
  /// Subscribe to the packets of an address (OSCQuery's LISTEN), or unsubscribe (IGNORE).
  case packets(of: String, isWanted: Bool)
}

/// Why a message of a page is refused.
enum ViewFault: Error, Equatable {
  /// The message is not valid JSON.
  case notJSON
  /// The message is JSON, but not an object.
  case notAnObject
  /// The object has no key.
  case empty
  /// A key is there more than once.
  case duplicateKey(String)
  /// A key of `ViewRequest` beside COMMAND. Other programs may add keys of their own.
  case keyBesideCommand(String)
  /// There is no such key.
  case unknownKey(String)
  /// The value of a key is invalid.
  case invalidValue(String, takes: String)
  /// The client has no right to steer.
  case notAllowed
  /// A relay does not support the request.
  case unsupportedByRelay
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
    case .notJSON, .notAnObject, .empty, .duplicateKey: "view-json"
    case .unknownKey, .keyBesideCommand: "view-unknown"
    case .invalidValue: "view-argument"
    case .notAllowed: "view-key"
    case .unsupportedByRelay: "view-relay"
    case .tooMuch: "view-too-much"
    case .control(let error): error.code
    }
  }

  /// The sentence: what is wrong, what is allowed.
  var reason: String {
    let example = "a message is one object, such as {\"listen\": \"/visgraph/level\"}"
    switch self {
    case .notJSON: return "the message is not valid JSON; \(example)"
    case .notAnObject: return "the message is JSON, but not an object; \(example)"
    case .empty: return "the object is empty; \(example)"
    case .duplicateKey(let key):
      return "\(key.prefix(40)) is there more than once; a message has each key once"
    case .keyBesideCommand(let key):
      return "\(key.prefix(40)) is there beside COMMAND; send it in a message of its own"
    case .unknownKey(let key):
      return "there is no \(key.prefix(40)); there are: \(ViewRequest.keys.joined(separator: ", "))"
    case .invalidValue(let key, let takes): return "\(key) takes \(takes)"
    case .notAllowed: return "this connection may only look on; the desk's key is needed to steer"
    case .unsupportedByRelay:
      return
        "a relay passes on the stage, the master and the blackout, and nothing else: commands and other values are "
        + "with the show itself"
    case .tooMuch(let what): return what
    case .control(let error): return error.description
    }
  }
}

extension ViewRequest {
  /// The keys of a message. `rate` is an argument of `listen`.
  private enum Key: String, CaseIterable {
    case send, listen, rate, watch, ping, connect, disconnect, stage, state, sound, leds
  }

  /// The names of the keys.
  static let keys = Key.allCases.map(\.rawValue)
  /// The maximum number of messages per second from one client; also the size of a burst.
  static let mostPerSecond = 500.0
  /// The maximum number of settings, arguments or topics in a message.
  private static let mostItems = 256

  /// Reads the requests in a message, in its order.
  static func read(_ text: String) throws(ViewFault) -> [ViewRequest] {
    guard let json = Json(reading: text) else { throw .notJSON }
    guard case .object(let pairs) = json else { throw .notAnObject }
    if pairs.isEmpty { throw .empty }
    var values: [String: Json] = [:]
    for (key, value) in pairs where values.updateValue(value, forKey: key) != nil {
      throw .duplicateKey(key)
    }
    if let command = values["COMMAND"] {
      if let (other, _) = pairs.first(where: { keys.contains($0.0) }) {
        throw .keyBesideCommand(other)
      }
      return [try oscQueryCommand(command, values["DATA"])]
    }
    var requests: [ViewRequest] = []
    for (name, value) in pairs {
      guard let key = Key(rawValue: name) else { throw .unknownKey(name) }
      if let request = try request(for: key, value, in: values) { requests.append(request) }
    }
    return requests
  }

  /// The request of a key; nil for an argument of another key.
  private static func request(
    for key: Key, _ value: Json, in message: [String: Json]
  ) throws(ViewFault) -> ViewRequest? {
    switch key {
    case .send: return try send(value)
    case .listen: return try listen(value, rate: message[Key.rate.rawValue])
    case .rate:
      if message[Key.listen.rawValue] == nil {
        throw .invalidValue(key.rawValue, takes: "a listen beside it")
      }
      return nil
    case .watch: return try watch(value)
    case .ping: return .ping(value)
    case .connect:
      let (from, to) = try ports(key, value)
      return .connect(from: from, to: to)
    case .disconnect:
      let (from, to) = try ports(key, value)
      return .disconnect(from: from, to: to)
    case .stage:
      if case .string("relay") = value { return .stage(true, isRelay: true) }
      guard case .bool(let isWanted) = value else {
        throw .invalidValue(
          key.rawValue, takes: "true, false, or \"relay\" for a client that passes it on to others")
      }
      return .stage(isWanted, isRelay: false)
    case .state:
      guard case .number(let number) = value, let emitter = UInt16(exactly: number) else {
        throw .invalidValue(key.rawValue, takes: "the number of an emitter")
      }
      return .emitterState(emitter)
    case .sound: return try sound(value)
    case .leds:
      if case .null = value { return .leds(nil) }
      guard case .string(let id) = value, id.utf8.count <= 512 else {
        throw .invalidValue(key.rawValue, takes: "the id of a node of LEDs; null ends it")
      }
      return .leds(id)
    }
  }

  private static func send(_ value: Json) throws(ViewFault) -> ViewRequest {
    let takes = "an address of the control port and its arguments: [\"/visgraph/master\", 0.5]"
    guard case .array(let parts) = value, parts.count <= mostItems, case .string(let address)? = parts.first
    else {
      throw .invalidValue("send", takes: takes)
    }
    var arguments: [Argument] = []
    for part in parts.dropFirst() {
      guard let argument = part.argument else { throw .invalidValue("send", takes: takes) }
      arguments.append(argument)
    }
    return .send(Message(address, arguments: arguments))
  }

  private static func listen(_ value: Json, rate given: Json?) throws(ViewFault) -> ViewRequest {
    guard case .string(let text) = value else {
      throw .invalidValue("listen", takes: "a pattern such as \"/visgraph/level/*\"")
    }
    var rate = 10.0
    if let given {
      guard case .number(let number) = given, ShowFeed.rates.contains(number) else {
        throw .invalidValue("rate", takes: "a number 0…\(shortest(ShowFeed.rates.upperBound)) a second")
      }
      rate = number
    }
    do throws(ControlError) { return .listen(try FeedbackPattern(text), rate: rate) } catch {
      throw .control(error)
    }
  }

  private static func watch(_ value: Json) throws(ViewFault) -> ViewRequest {
    let takes = "a list of \(ViewTopic.allCases.map(\.rawValue).joined(separator: ", "))"
    guard case .array(let values) = value, values.count <= mostItems else {
      throw .invalidValue("watch", takes: takes)
    }
    var topics: Set<ViewTopic> = []
    for value in values {
      guard case .string(let word) = value, let topic = ViewTopic(rawValue: word) else {
        throw .invalidValue("watch", takes: takes)
      }
      topics.insert(topic)
    }
    return .watch(topics)
  }

  private static func ports(_ key: Key, _ value: Json) throws(ViewFault) -> (from: String, to: String) {
    guard case .array(let ports) = value, ports.count == 2, case .string(let from) = ports[0],
      case .string(let to) = ports[1],
      [from, to].allSatisfy({ (1...512).contains($0.utf8.count) && !$0.contains("\0") })
    else {
      throw .invalidValue(key.rawValue, takes: "the full names of two ports, the first of which gives sound")
    }
    return (from, to)
  }

  private static func sound(_ value: Json) throws(ViewFault) -> ViewRequest {
    if case .null = value { return .sound(nil) }
    guard case .array(let parts) = value, parts.count == 3, case .string(let node) = parts[0],
      case .string(let output) = parts[1], case .number(let number) = parts[2],
      let channel = Int(exactly: number), channel > 0
    else {
      throw .invalidValue(
        "sound", takes: "a node, an output of it and a channel from 1: [\"song\", \"audio\", 1]; null ends it"
      )
    }
    return .sound(SoundChannel(node: node, output: output, channel: channel - 1))
  }

  private static func oscQueryCommand(_ command: Json, _ data: Json?) throws(ViewFault) -> ViewRequest {
    guard case .string(let word) = command, ["LISTEN", "IGNORE"].contains(word) else {
      throw .invalidValue("COMMAND", takes: "LISTEN or IGNORE")
    }
    guard case .string(let address)? = data, address.utf8.count <= 512 else {
      throw .invalidValue("DATA", takes: "an address")
    }
    return .packets(of: address, isWanted: word == "LISTEN")
  }
}

extension Json {
  /// The OSC argument for a value; nil if OSC has no such type.
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

  /// Parses JSON; nil if the text is not valid JSON.
  init?(reading text: String) {
    guard let read = JsonReader.value(in: Array(text.utf8), as: Json.self) else { return nil }
    self = read
  }
}
