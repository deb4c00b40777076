import Graphs
import OSC

/// One destination of an osc-output, with settings that override the output's.
struct OscTarget: FieldRecord {
  var to = ""
  /// The address template; nil: the output's.
  var address: String?
  /// The defaults for the receiver, for settings that are not stated.
  var preset: OscPreset?
  /// The interface by which multicasts leave; nil: the output's.
  var interface: String?
  /// The maximum number of hops (TTL) of multicasts; nil: the output's.
  var hops: Int?
  /// Seconds by which its packets are delayed.
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
  /// The targets, in the order of the file.
  var all: [OscTarget]

  init(_ all: [OscTarget] = []) { self.all = all }

  static func == (a: OscTargets, b: OscTargets) -> Bool {
    a.written(as: kind) == b.written(as: kind)
  }

  private static let targetKind = ValueKind.oneOf([
    OscText.endpoint, .record(OscTarget.self),
  ])
  static let kind = ValueKind.oneOf([targetKind, .list(targetKind, count: 1...64)])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> OscTargets? {
    if case .list(let entries) = tree.content {
      let targets = entries.compactMap { readTarget($0, context) }
      return targets.count == entries.count ? OscTargets(targets) : nil
    }
    return readTarget(tree, context).map { OscTargets([$0]) }
  }

  private static func readTarget(_ tree: Tree, _ context: ReadContext) -> OscTarget? {
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

/// The check of an osc-output's targets against its input. A fault is reported where its setting is stated: at a
/// target, or once at the node for all targets. [control]
struct OscTargetCheck {
  private let shaping: Shaping<OscOutput.Settings>
  private let settings: OscOutput.Settings
  private var reported: Set<String> = []

  init(_ shaping: Shaping<OscOutput.Settings>) {
    self.shaping = shaping
    settings = shaping.settings.all
  }

  /// Reports the faults of all targets.
  mutating func check() {
    for (index, target) in settings.to.all.enumerated() { check(target, at: "to.\(index + 1)") }
  }

  private mutating func check(_ target: OscTarget, at path: String) {
    let sending = target.sending(over: settings.filled)
    let addressPlace = place(
      target.address == nil ? target.preset.map { _ in "preset" } : "address", of: target, at: path,
      general: settings.statesAddress ? "address" : settings.preset.map { _ in "preset" } ?? "address")
    var template: AddressTemplate?
    do { template = try OscOutput.template(settings, target) } catch {
      report(error.code, addressPlace, "\(error)")
    }
    var arguments: ArgumentTemplate?
    do { arguments = try ArgumentTemplate(sending.arguments, form: sending.argument) } catch {
      report(error.code, place(SendFields.arguments, of: target, at: path), "\(error)")
    }
    checkType(target, sending, at: path)
    guard let template else { return }
    checkPreset(target, template, at: path)
    guard sending.send == .each, let arguments else { return }
    checkAddresses(template, arguments, addressPlace)
  }

  /// Reports settings that mean levels where others arrive.
  private mutating func checkType(_ target: OscTarget, _ sending: SendSettings, at path: String) {
    guard let type = shaping.inputs[0].type, type != .level else { return }
    if sending.values != SendSettings().values {
      report(
        "values-of-levels", place(SendFields.values, of: target, at: path),
        "`values` are what leaves for levels 0 and 1, and \(type.words) arrive here; leave them out")
    }
    if sending.argument == .bool {
      report(
        "bool-of-levels", place(SendFields.argument, of: target, at: path),
        "`argument: bool` is true from a level of 0.5 on, and \(type.words) arrive here; use another `argument`, or `compare` them"
      )
    }
  }

  /// Reports more channels than the address of a preset has numbers for.
  private mutating func checkPreset(_ target: OscTarget, _ template: AddressTemplate, at path: String) {
    let count = shaping.inputs[0].channels.count
    guard let preset = target.preset ?? settings.preset, let most = preset.most, count > most,
      template.description == preset.address
    else { return }
    report(
      "preset-channels", target.preset == nil ? "preset" : "\(path).preset",
      "`\(preset.rawValue)` has addresses for \(most) channels, and \(count) arrive; state an `address`, or wire fewer"
    )
  }

  /// Reports the first two channels whose messages nothing tells apart.
  private mutating func checkAddresses(
    _ template: AddressTemplate, _ arguments: ArgumentTemplate, _ place: String
  ) {
    let input = shaping.inputs[0]
    var seen: [String: Int] = [:]
    for (index, channel) in input.channels.enumerated() {
      // The ids of other nodes are not known here. Their numbers tell them apart as well.
      let source = index < input.sources.count ? input.sources[index].first?.node : nil
      let values = AddressTemplate.Values(
        node: shaping.id, source: "source\(source ?? 0)", channel: index + 1,
        name: channel.name ?? "\(index + 1)")
      guard
        let first = seen.updateValue(index, forKey: "\(template.expand(values)) \(arguments.text(values))")
      else { continue }
      let address = template.placeholders.contains(.source) ? "\(template)" : template.expand(values)
      return report(
        "equal-addresses", place,
        "channels \(first + 1) and \(index + 1) would both be sent to \(address); put {channel} into the address"
      )
    }
  }

  /// The path of a setting of sending: of the target where that states it, by itself or by its preset, else of the
  /// node.
  private func place<Value>(_ setting: SendSetting<Value>, of target: OscTarget, at path: String) -> String {
    let isOwn = target[setting] != nil
    let general =
      settings.stated.contains(setting.name) ? setting.name : settings.preset.map { _ in "preset" }
    return place(
      isOwn ? setting.name : target.preset.map { _ in "preset" }, of: target, at: path,
      general: general ?? setting.name)
  }

  private func place(_ own: String?, of target: OscTarget, at path: String, general: String) -> String {
    own.map { "\(path).\($0)" } ?? general
  }

  private mutating func report(_ code: String, _ place: String, _ message: String) {
    if reported.insert("\(place) \(message)").inserted { shaping.report(code, place, message) }
  }
}
