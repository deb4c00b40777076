import Graphs
import OSC

/// One destination of an osc-output, with settings of its own where it has any.
struct OscTarget: FieldRecord {
  /// Where to.
  var to = ""
  /// The address template, if it differs.
  var address: String?
  /// How values are packed, if it differs.
  var send: OscForm?
  /// How messages are packed, if it differs.
  var bundle: OscBundling?
  /// Occasions a second, if it differs.
  var rate: Double?
  /// The least difference, if it differs.
  var change: Double?
  /// Seconds, if it differs.
  var again: Double?

  static let recordName = "target"
  static let fields: [Field<OscTarget>] = [
    Field(
      "to", \.to, OscText.endpoint,
      "HOST:PORT or osc.udp://HOST:PORT/."),
    Field(
      "address", \.address, OscText.address("node", "source", "channel", "name"),
      "The address template for this target."),
    Field("send", \.send, "How values are packed for this target."),
    Field("bundle", \.bundle, "How messages are packed for this target."),
    Field(
      "rate", \.rate, .number(.perSecond, 0...1000), "How often a second this target is sent to at most."),
    Field(
      "change", \.change, .number(.none, 0...1000), "How far a value must move to be sent to this target."),
    Field("repeat", \.again, .number(.seconds, 0...3600), "When this target gets an unchanged value again."),
  ]
  init() {}
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
    address == nil && send == nil && bundle == nil && rate == nil && change == nil && again == nil
      ? to : written(as: Self.kind)
  }
}

/// How values are packed.
enum OscForm: String, FieldChoice {
  case each, vector
  var help: String {
    switch self {
    case .each: "one message per channel, with one float"
    case .vector: "one message with one float per channel"
    }
  }
}

/// How messages are packed.
enum OscBundling: String, FieldChoice {
  case none, immediate
  var help: String {
    switch self {
    case .none: "one datagram per message"
    case .immediate: "the messages of one occasion in one bundle, to be obeyed at once"
    }
  }
}
