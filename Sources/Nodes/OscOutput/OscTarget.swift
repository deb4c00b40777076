import Graphs
import OSC

/// One destination of an osc-output, with settings that override the output's.
struct OscTarget: FieldRecord {
  /// The target.
  var to = ""
  /// The address template; nil: the output's.
  var address: String?
  /// The values of settings that are not stated, for this target.
  var preset: OscPreset?
  /// The interface by which multicasts leave.
  var interface: String?
  /// Their maximum number of hops (TTL).
  var hops: Int?
  /// How much later it is sent everything, in seconds.
  var delay = 0.0
  /// How levels become packets for this target; only stated settings are used.
  private var sending = SendSettings()
  /// The names of the stated settings.
  private var stated: Set<String> = []

  static let recordName = "target"
  static let fields: [Field<OscTarget>] = [
    Field(
      "to", \.to, OscText.endpoint,
      "HOST:PORT, osc.udp://HOST:PORT/, osc.tcp://HOST:PORT/, osc.slip://HOST:PORT/ or osc.unix:///PATH."),
    Multicasts.interface(\.interface), Multicasts.hops(\.hops),
    Field(
      "address", \.address, OscText.address("node", "source", "channel", "name"),
      "The address template for this target."),
    Field("preset", \.preset, "What the receiver needs; it overrides what is stated for all targets."),
    SendFields.form.own, SendFields.argument.own, SendFields.values.own, SendFields.arguments.own,
    SendFields.bundle.own, SendFields.packet.own, SendFields.rate.own, SendFields.change.own,
    SendFields.again.own,
    Field(
      "delay", \.delay, .number(.seconds, 0...5),
      "How much later this target gets what it is sent, rounded up to whole frames, such as for lamps that are faster than "
        + "the others; a blackout and the end come at once."),
  ]
  init() {}

  /// The value of a setting; nil: not stated.
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

  /// How levels become packets: as stated, otherwise as for all targets.
  func sending(over general: SendSettings) -> SendSettings {
    var result = general
    preset?.fill(&result)
    func take<Value>(_ setting: SendSetting<Value>) {
      if let value = self[setting] { result[keyPath: setting.path] = value }
    }
    take(SendFields.form)
    take(SendFields.argument)
    take(SendFields.values)
    take(SendFields.arguments)
    take(SendFields.bundle)
    take(SendFields.packet)
    take(SendFields.rate)
    take(SendFields.change)
    take(SendFields.again)
    return result
  }

  /// Whether it has no settings besides `to`.
  fileprivate var isPlain: Bool {
    address == nil && preset == nil && interface == nil && hops == nil && delay == 0 && stated.isEmpty
  }
}

/// One target or several, each a text or a map.
struct OscTargets: FieldValue, Equatable {
  /// In the order of the file.
  var all: [OscTarget]

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
      _ = try Endpoint(target.to, streams: true)
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
