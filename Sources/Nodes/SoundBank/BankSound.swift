import Graphs

/// One sound of a bank.
struct BankSound: FieldRecord, FieldValue {
  /// The file.
  var path = GraphFile()
  /// The key that plays it; nil: none.
  var key: String?
  /// In dB.
  var gain = 0.0
  /// Whether each firing of it is an alert.
  var alert = false
  /// Whether it ends itself when it is fired again.
  var retrigger = false

  static let recordName = "sound"
  static let fields: [Field<BankSound>] = [
    Field("path", \.path, "The audio file, relative to the graph file."),
    Field(
      "key", \.key, .text(pattern: "^\\S$", form: "one character"),
      "The key on the terminal that plays it: one character."),
    Field(
      "gain", \.gain, .number(.gain, -160...20),
      "How much louder it is; a change counts from the next firing on."),
    Field("alert", \.alert, "Whether each firing of it is told at the port `alert` as well."),
    Field(
      "retrigger", \.retrigger,
      "Whether firing it again ends it where it plays; if not, it sounds once more beside itself."),
  ]
  init() {}
}
