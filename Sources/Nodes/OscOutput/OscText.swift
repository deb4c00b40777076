import Graphs

/// The kinds of OSC settings that are text. The patterns are for editors; `Endpoint` and `AddressTemplate` report
/// faults.
enum OscText {
  /// `HOST:PORT`, or a URL.
  static let endpoint = ValueKind.text(
    pattern:
      "^(([oO][sS][cC](\\.([uU][dD][pP]|[tT][cC][pP]|[sS][lL][iI][pP]))?://|([uU][dD][pP]|[tT][cC][pP])://)?([A-Za-z0-9._-]{1,253}|\\[[^\\[\\] ]+\\]):0*[1-9][0-9]{0,4}/?|[oO][sS][cC]\\.[uU][nN][iI][xX]:///.+)$",
    isChecked: false)

  /// An address with placeholders such as `{node}`.
  static func address(_ placeholders: String...) -> ValueKind {
    let character = "[!-\"$-)+.0->@-Z\\\\^-z|~-]"
    return .text(
      pattern: "^(/(\(character)|\\{(\(placeholders.joined(separator: "|")))\\})+)+$", isChecked: false)
  }
}
