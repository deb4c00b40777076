import Graphs
import OSC

/// One destination of an osc-output, with settings of its own where it has any.
struct OscTarget: FieldRecord {
  /// Where to.
  var to = ""
  /// The address template, if it differs.
  var address: String?
  /// How levels become packets for this target; what it does not state is not read.
  private var sending = SendSettings()
  /// The names of what it states.
  private var stated: Set<String> = []

  static let recordName = "target"
  static let fields: [Field<OscTarget>] = [
    Field(
      "to", \.to, OscText.endpoint,
      "HOST:PORT or osc.udp://HOST:PORT/."),
    Field(
      "address", \.address, OscText.address("node", "source", "channel", "name"),
      "The address template for this target."),
    SendFields.form.own, SendFields.bundle.own, SendFields.rate.own, SendFields.change.own,
    SendFields.again.own,
  ]
  init() {}

  /// What it states of a setting; nil: nothing.
  subscript<Value>(setting: SendSetting<Value>) -> Value? {
    get { stated.contains(setting.name) ? sending[keyPath: setting.path] : nil }
    set {
      if let newValue {
        sending[keyPath: setting.path] = newValue
        stated.insert(setting.name)
      } else {
        stated.remove(setting.name)
      }
    }
  }

  /// How levels become packets, by what it states and, for the rest, by what holds for all targets.
  func sending(over general: SendSettings) -> SendSettings {
    var result = general
    func take<Value>(_ setting: SendSetting<Value>) {
      if let value = self[setting] { result[keyPath: setting.path] = value }
    }
    take(SendFields.form)
    take(SendFields.bundle)
    take(SendFields.rate)
    take(SendFields.change)
    take(SendFields.again)
    return result
  }

  /// Whether it is only a place.
  fileprivate var isPlain: Bool { address == nil && stated.isEmpty }
}

/// A setting of sending, declared once: an osc-output states it for all its targets, and each target may state it for
/// itself.
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

  /// For all targets.
  var general: Field<OscOutput.Settings> { Field(name, \.[self], kind, change: change, help) }
  /// For one of them.
  var own: Field<OscTarget> {
    Field(name, \.[self], kind, help + " For this target alone; what it does not say is as for all.")
  }

  static func == (a: SendSetting, b: SendSetting) -> Bool { a.name == b.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension OscOutput.Settings {
  /// What holds for all targets that do not say otherwise.
  fileprivate subscript<Value>(setting: SendSetting<Value>) -> Value {
    get { sending[keyPath: setting.path] }
    set { sending[keyPath: setting.path] = newValue }
  }
}

/// What osc-outputs and targets state of sending.
enum SendFields {
  static let form = SendSetting(
    "send", \.send, SendSettings.Form.kind, change: .rebuild, "How values are packed.")
  static let bundle = SendSetting(
    "bundle", \.bundle, SendSettings.Bundling.kind, change: .rebuild, "How messages are packed.")
  static let rate = SendSetting(
    "rate", \.rate, .number(.perSecond, SendSettings.rateRange),
    "How often a second a target is sent to at most; 0 is every frame.")
  static let change = SendSetting(
    "change", \.change, .number(.none, SendSettings.changeRange),
    "How far a value must move to be sent; an exact 0 always is.")
  static let again = SendSetting(
    "repeat", \.repeatInterval, .number(.seconds, SendSettings.repeatRange),
    "When an unchanged value is sent again; 0 is never.")
}

/// One target or several, each a text or a map.
struct OscTargets: FieldValue, Equatable {
  /// In file order.
  var all: [OscTarget]

  /// Makes targets.
  init(_ all: [OscTarget] = []) { self.all = all }

  static func == (a: OscTargets, b: OscTargets) -> Bool {
    a.written(as: kind) == b.written(as: kind)
  }

  private static let one = ValueKind.oneOf([
    OscText.endpoint, .record(OscTarget.self),
  ])
  static let kind = ValueKind.oneOf([one, .list(one, count: 1...64)])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> OscTargets? {
    if case .list(let entries) = tree.content {
      let targets = entries.compactMap { target($0, context) }
      return targets.count == entries.count ? OscTargets(targets) : nil
    }
    return target(tree, context).map { OscTargets([$0]) }
  }

  private static func target(_ tree: Tree, _ context: ReadContext) -> OscTarget? {
    var target: OscTarget
    if case .map = tree.content {
      guard let read = OscTarget.read(tree, as: OscTarget.kind, context) else { return nil }
      target = read
    } else {
      guard let text = String.read(tree, as: String.kind, context) else { return nil }
      target = OscTarget()
      target.to = text
    }
    do {
      _ = try Endpoint(target.to)
      if let address = target.address { _ = try AddressTemplate(address) }
      return target
    } catch {
      context.report(Diagnostic(error.code, "\(context.subject): \(error)", at: tree.mark))
      return nil
    }
  }

  func written(as kind: ValueKind) -> String {
    let texts = all.map { target in
      target.writtenAsTarget
    }
    return texts.count == 1 ? texts[0] : "[" + texts.joined(separator: ", ") + "]"
  }
}

extension OscTarget: FieldValue {
  fileprivate var writtenAsTarget: String {
    isPlain ? to : written(as: Self.kind)
  }
}

extension SendSettings.Form: FieldChoice {
  /// What the word means, in half a sentence.
  public var help: String {
    switch self {
    case .each: "one message per channel, with one float"
    case .vector: "one message with one float per channel"
    }
  }
}

extension SendSettings.Bundling: FieldChoice {
  /// What the word means, in half a sentence.
  public var help: String {
    switch self {
    case .none: "one datagram per message"
    case .immediate: "the messages of one occasion in one bundle, to be obeyed at once"
    }
  }
}
