/// An action at a time of day. [any]
public struct ShowAlarm: Equatable, Sendable {
  /// Seconds since midnight, local time.
  public let second: Int
  /// The days of the week, 0…6; 0 is Monday.
  public let days: Set<Int>
  /// The cue to go to; nil: none.
  public let cue: CueNumber?
  /// Further actions.
  public let action: ShowAction
  /// The name in messages: the time as written in the file.
  public let name: String

  /// The days of the week as written in graph files, from Monday on.
  public var dayNames: [String] {
    Weekday.allCases.filter { days.contains($0.number) }.map(\.rawValue)
  }
}

/// A time of day, written 22:00 or 22:00:30.
struct TimeOfDay: FieldValue, Equatable {
  /// Seconds since midnight.
  var second = 0
  private(set) var text = "0:00"

  static let kind = ValueKind.text(pattern: "^[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$")

  init() {}

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count),
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }),
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    second = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    self.text = text
  }

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> TimeOfDay? {
    if let time = tree.text.flatMap(TimeOfDay.init) { return time }
    context.expected("a time of day 0:00…23:59:59, such as 22:00 or 22:00:30", tree)
    return nil
  }

  func written(as kind: ValueKind) -> String { yamlText(text) }
}

/// A day of the week.
enum Weekday: String, FieldChoice {
  case mon, tue, wed, thu, fri, sat, sun

  var help: String {
    switch self {
    case .mon: "Monday"
    case .tue: "Tuesday"
    case .wed: "Wednesday"
    case .thu: "Thursday"
    case .fri: "Friday"
    case .sat: "Saturday"
    case .sun: "Sunday"
    }
  }

  static var aliases: [String: Weekday] {
    Dictionary(allCases.map { ($0.help.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of the day; 0 is Monday.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// An alarm as a graph file writes it.
struct AlarmSettings: FieldRecord, FieldValue {
  var time: TimeOfDay?
  var days = Weekday.allCases
  var cue: String?
  var action = ActionSettings()
  /// The place of the alarm, and that of its cue.
  private(set) var mark: SourceRange?
  private(set) var cueMark: SourceRange?

  static let recordName = "alarm"
  static let fields: [Field<AlarmSettings>] =
    [
      Field("at", \.time, "The time of day, in local time: 22:00, or 22:00:30."),
      Field(
        "days", \.days, .oneOf([Weekday.kind, .list(Weekday.kind, count: 1...7)]),
        "The days of the week, one or a list; by default all."),
      Field(
        "cue", \.cue, .text(pattern: CueNumber.pattern, form: "the number of a cue"),
        "The number of the cue that starts."),
    ] + ActionSettings.fields(\.action.scene, \.action.seconds, \.action.messages)

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> AlarmSettings? {
    guard let pairs = tree.map else {
      context.expected("a map such as { at: 22:00, scene: night }", tree)
      return nil
    }
    let before = context.count
    var alarm = AlarmSettings()
    alarm.read(pairs, in: recordName, context)
    alarm.action.note(pairs)
    alarm.mark = tree.mark
    alarm.cueMark = pairs.first { $0.key.text == "cue" }?.value.mark
    return context.count == before ? alarm : nil
  }
}
