/// A kind of file that holds settings of a node type, so that several graphs and people can share them.
///
/// What the file says comes first, and what the node says after it. Other files named in it are relative to its folder.
public struct SettingsFile: Sendable {
  /// The setting that names the file (`emitter`): a `GraphFile?`.
  public let key: String
  /// The setting that changes single values by their paths (`set`): `SettingChanges`.
  public let changes: String
  /// The first key of such a file; its value is the version of the format (`visgraph-emitter`).
  public let version: String
  /// What sentences call such a file (`an emitter file`).
  public let noun: String
  /// Settings that are the graph's own business, such as where something is sent: no such file can have them.
  public let reserved: [String]

  /// Declares a kind of file.
  public init(key: String, changes: String, version: String, noun: String, reserved: [String] = []) {
    self.key = key
    self.changes = changes
    self.version = version
    self.noun = noun
    self.reserved = reserved
  }

  /// Keys of a node that such a file cannot have.
  var without: [String] { fixed + reserved }
  /// Keys of a node that cannot be changed by path.
  var fixed: [String] { [key, changes] + NodeEntry.keys }
}

/// What a file of settings says of itself.
struct SettingsFileHeading: FieldRecord {
  var name: String?
  var author: String?
  var licence: String?

  static let recordName = "file heading"
  static let fields: [Field<SettingsFileHeading>] = [
    Field("name", \.name, .text(pattern: "^.{1,200}$", form: "1 to 200 characters"), "What it is called."),
    Field("author", \.author, .text(pattern: "^.{1,500}$", form: "1 to 500 characters"), "Who made it."),
    Field(
      "licence", \.licence, .text(pattern: "^.{1,500}$", form: "1 to 500 characters"), aliases: ["license"],
      "Under which terms it may be used."),
  ]
}
