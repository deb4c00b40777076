/// One setting of a checked node as text, so that graphs can be compared without knowing the types of their nodes.
public struct SettingsText: Equatable, Sendable {
  /// The name of the setting.
  public let field: String
  /// The channel, by index from 0; nil: the value for all channels.
  public let channel: Int?
  /// What a change of the value requires.
  public let change: Change
  /// The value, as a graph file would write it.
  public let text: String
}

/// One setting of a checked node as a value.
public struct SettingReading: Sendable {
  /// The name of the setting.
  public let field: String
  /// The channel, by index from 0; nil: the value for all channels.
  public let channel: Int?
  /// The values that are allowed.
  public let kind: ValueKind
  /// The value in the settings struct.
  public let value: SettingValue
}

extension CheckedNode {
  /// All settings without parts, in the order of the declaration: first those for all channels, then those of single
  /// channels. [any]
  public var settingReadings: [SettingReading] { typed.readings() }

  /// All settings, in the order of the declaration: first those for all channels, then those of single channels. [any]
  public var settingsTexts: [SettingsText] {
    // Swift opens an existential in a local variable, but not in a stored property.
    typed.texts(asking: nil)
  }

  /// The settings whose change is `change`, as one text: equal texts mean equal settings. Inside records each setting
  /// counts by its own change. [control]
  public func settingsKey(_ change: Change) -> String {
    typed.texts(asking: change).map { setting in
      "\(setting.field)\(setting.channel.map { "[\($0 + 1)]" } ?? ""): \(setting.text)"
    }.joined(separator: "\n")
  }
}

extension TypedSettings {
  fileprivate func readings() -> [SettingReading] {
    func reading(_ field: Field<Node.Settings>, _ settings: Node.Settings, _ channel: Int?) -> SettingReading
    {
      SettingReading(field: field.name, channel: channel, kind: field.kind, value: field.value(settings))
    }
    let fields = Node.Settings.fields.filter { !$0.kind.hasParts }
    var readings = fields.map { reading($0, values.all, nil) }
    for (channel, own) in values.each.sorted(by: { $0.key < $1.key }) {
      for field in fields where field.each { readings.append(reading(field, own, channel)) }
    }
    return readings
  }

  /// The settings as texts; with `change`, only those, and only their parts, that have this change.
  fileprivate func texts(asking change: Change?) -> [SettingsText] {
    func text(_ field: Field<Node.Settings>, _ settings: Node.Settings) -> String {
      change.map { field.asking(settings, $0) } ?? field.written(settings)
    }
    let fields = Node.Settings.fields.filter { change == nil || $0.change == change }
    var texts = fields.map {
      SettingsText(field: $0.name, channel: nil, change: $0.change, text: text($0, values.all))
    }
    for (channel, own) in values.each.sorted(by: { $0.key < $1.key }) {
      for field in fields where field.each {
        texts.append(
          SettingsText(field: field.name, channel: channel, change: field.change, text: text(field, own)))
      }
    }
    return texts
  }
}

extension ValueKind {
  /// Whether its values have parts.
  fileprivate var hasParts: Bool {
    switch self {
    case .list, .map, .record: true
    default: false
    }
  }
}
