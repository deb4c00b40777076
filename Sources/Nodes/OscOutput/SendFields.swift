import Graphs
import OSC

/// The declaration of one setting of sending. An osc-output states it for all its targets; a target may override it.
struct SendSetting<Value: FieldValue>: Sendable, Hashable {
  let name: String
  let path: any WritableKeyPath<SendSettings, Value> & Sendable
  let kind: ValueKind
  let change: Change
  let help: String

  fileprivate init(
    _ name: String, _ path: any WritableKeyPath<SendSettings, Value> & Sendable,
    _ kind: ValueKind, change: Change = .live, _ help: String
  ) {
    self.name = name
    self.change = change
    self.path = path
    self.kind = kind
    self.help = help
  }

  /// The field of the osc-output.
  var general: Field<OscOutput.Settings> { Field(name, \.[self], kind, change: change, help) }
  /// The field of a target, which overrides the output's. `change` is left out: the field `to`, which holds the
  /// targets, requires a rebuild after any change.
  var own: Field<OscTarget> {
    Field(
      name, \.[self], kind, help + " For this target alone; without it, the setting for all targets holds.")
  }

  // A subscript in a key path needs a Hashable argument; names are unique.
  static func == (a: SendSetting, b: SendSetting) -> Bool { a.name == b.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension OscOutput.Settings {
  /// The values for all targets that do not override them.
  fileprivate subscript<Value>(setting: SendSetting<Value>) -> Value {
    get { sending[keyPath: setting.path] }
    set {
      sending[keyPath: setting.path] = newValue
      stated.insert(setting.name)
    }
  }
}

enum SendFields {
  static let form = SendSetting(
    "send", \.send, SendSettings.Form.kind, change: .rebuild,
    "Whether each channel is a message of its own, or all channels are one message.")
  static let argument = SendSetting(
    "argument", \.argument, ArgumentTemplate.Form.kind, change: .rebuild, "The type of a value in a message.")
  static let values = SendSetting(
    "values", \.values, .pair(.number(.none, SendSettings.valueRange)), change: .rebuild,
    "What leaves for a level 0 and for a level 1, such as [0, 100]; `change` counts in these numbers.")
  static let arguments = SendSetting(
    "arguments", \.arguments, .list(.text(), count: 0...ArgumentTemplate.most), change: .rebuild,
    "The arguments of a message, if the value alone is not enough, such as [\"{value}\", 0.5]. {value} is the value, "
      + "or all values of a vector. Within a longer text (\"Chan {channel} At {value}\") {value} and the "
      + "placeholders of `address` are replaced by text. A text that looks like a number is sent as one, of type i "
      + "without a decimal point, otherwise f; true and false are T and F."
  )
  static let packet = SendSetting(
    "packet", \.packet,
    .number(
      .none, Double(SendSettings.packetRange.lowerBound)...Double(SendSettings.packetRange.upperBound),
      whole: true),
    change: .rebuild,
    "The most bytes of a bundle of several messages, such as 512 for consoles; a longer message is sent alone."
  )
  static let bundle = SendSetting(
    "bundle", \.bundle, SendSettings.Bundling.kind, change: .rebuild,
    "Whether messages are sent one by one or in bundles.")
  static let rate = SendSetting(
    "rate", \.rate, .number(.perSecond, SendSettings.rateRange),
    "The most sends a second to a target; 0 sends every frame.")
  static let change = SendSetting(
    "change", \.change, .number(.none, SendSettings.changeRange),
    "How far a value must move to be sent; an exact 0 always is.")
  static let again = SendSetting(
    "repeat", \.repeatInterval, .number(.seconds, SendSettings.repeatRange),
    "When an unchanged value is sent again; 0 is never.")
}

extension SendSettings.Form: FieldChoice {
  /// The meaning of the word, as help texts show it.
  public var help: String {
    switch self {
    case .each: "one message per channel, with one float"
    case .vector: "one message with one float per channel"
    }
  }
}

extension SendSettings.Bundling: FieldChoice {
  /// The meaning of the word, as help texts show it.
  public var help: String {
    switch self {
    case .none: "one datagram per message"
    case .immediate: "all messages that are sent at one time in one bundle, with the time tag \"immediately\""
    }
  }
}

extension ArgumentTemplate.Form: FieldChoice {
  /// The meaning of the word, as help texts show it.
  public var help: String {
    switch self {
    case .float: "a float, f"
    case .int: "a whole number, i, rounded; a value that rounds to the same is not sent again"
    case .bool: "true (T) from a level of 0.5 on, otherwise false (F)"
    case .string: "the number as text, s, with at most three decimals"
    }
  }
}
