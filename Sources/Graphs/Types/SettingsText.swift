/// One setting of a checked node as text, so that two graphs can be compared without knowing their types.
public struct SettingsText: Equatable, Sendable {
  /// The name of the setting.
  public let field: String
  /// The channel by index from 0; nil: what holds for all channels.
  public let channel: Int?
  /// What a change of it asks for.
  public let change: Change
  /// The value, as a graph file would write it.
  public let text: String
}

/// One setting of a checked node as a value.
public struct SettingReading: Sendable {
  /// The name of the setting.
  public let field: String
  /// The channel by index from 0; nil: what holds for all channels.
  public let channel: Int?
  /// What its value may be.
  public let kind: ValueKind
  /// The value as its record has it.
  public let value: SettingValue
}

extension CheckedNode {
  /// All settings that are one value each, in the order of the declaration: those of all channels, then those of single
  /// channels. [any]
  public var settingReadings: [SettingReading] { typed.readings() }

  /// All settings, in the order of the declaration: those of all channels, then those of single channels. [any]
  public var settingsTexts: [SettingsText] {
    // A stored property is not opened as an argument, a local one is.
    typed.texts(asking: nil)
  }

  /// The settings with one kind of change as one text: equal where none of them differs. Of settings within settings,
  /// such as the numbers of a cell, each has its own kind of change. [control]
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

  /// With a kind of change: those settings alone whose change asks for it.
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
  /// Whether every value of it has others inside.
  fileprivate var hasParts: Bool {
    switch self {
    case .list, .map, .record: true
    default: false
    }
  }
}
