/// One value of a particle file.
enum FileValue: Equatable {
  case number(Double)
  case text(String)
  case flag(Bool)
  case data([UInt8])
  /// JSON's null: as if the key were not there.
  case nothing
  /// A list, a dictionary, a date: what no key takes.
  case other(String)

  /// What sentences call it.
  var words: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): "\"\(FileText.shown(text))\""
    case .flag(let flag): "\(flag)"
    case .data: "data"
    case .nothing: "nothing"
    case .other(let kind): kind
    }
  }
}
