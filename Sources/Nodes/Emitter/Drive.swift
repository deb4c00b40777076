import Graphs

/// One entry of `drive`: a level steering one number of an emitter.
struct Drive: FieldRecord, FieldValue {
  /// The path of the number.
  var key = DriveKey()
  /// The input port whose levels drive.
  var by = Emitter.firstPort
  /// The part of the level that counts.
  var from = [0.0, 1.0]
  /// What it becomes.
  var to = [DriveEnd(0), DriveEnd(1)]
  /// The exponent.
  var curve = 1.0
  /// Whether levels outside of `from` stay at the ends of `to`.
  var clamp = true
  /// The number while nothing plays; nil: the lower end of `to`.
  var idle: DriveEnd?

  /// The level itself, driving nothing yet.
  init() {}

  /// What sentences call it.
  static let recordName = "drive"
  /// Its fields, in the order of the docs.
  static let fields: [Field<Drive>] = [
    Field(
      "key", \.key,
      "The path of the number, such as scale, position.x or cells.spark.cells.glow.scale; Apple's full words "
        + "(emitterCells.spark.scale) are understood."),
    Field(
      "by", \.by, .text(pattern: "^[A-Za-z0-9_-]{1,64}$", form: "1 to 64 letters, digits, - and _"),
      "The input port whose levels drive it; a name of your choice makes a port of that name."),
    Field(
      "from", \.from, .list(.number(.ratio, 0...1), count: 2...2), "The levels that lead to the ends of `to`."
    ),
    Field(
      "to", \.to, .list(DriveEnd.kind, count: 2...2),
      "What the number becomes, in its own unit: [10 %, 90 %] of the stage for a position."),
    Field(
      "curve", \.curve, .number(.none, 0.01...100),
      "The exponent: 1 is straight, 2 begins gently, 0.5 begins steeply."),
    Field(
      "clamp", \.clamp,
      "Keeps levels outside of `from` at the ends of `to`; without it the number goes on, within its legal range."
    ),
    Field(
      "idle", \.idle, "What the number is while nothing plays; the first end of `to` where nothing is said."),
  ]
}
