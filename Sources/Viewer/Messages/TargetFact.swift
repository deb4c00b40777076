import Engine
import Graphs

/// One fact of a target, declared once: the topic `targets` and the type by which pages read it come from it. [view]
struct TargetFact {
  /// What JavaScript calls its type.
  enum Kind: String {
    case text = "string"
    case number
    case flag = "boolean"
  }

  let name: String
  let help: String
  let kind: Kind
  private let value: @Sendable (NodeReport) -> Json

  /// Every fact, in the order of JSON.
  static let all = [
    text("id", "the node") { $0.id },
    text("target", "what it sends to") { $0.target },
    text("state", "its state, in a word or a sentence") { $0.state },
    TargetFact(name: "well", help: "whether there is no fault", kind: .flag) { .bool($0.isWell) },
    number("sent", "messages sent") { $0.sent },
    number("held", "changes that the rate held back") { $0.held },
    number("failed", "packets that could not be sent") { $0.failed },
    text("sample", "an address with its value, as an example") { $0.sample },
  ]

  private static func text(
    _ name: String, _ help: String, _ value: @escaping @Sendable (NodeReport) -> String
  ) -> TargetFact {
    TargetFact(name: name, help: help, kind: .text) { .string(value($0)) }
  }

  private static func number(
    _ name: String, _ help: String, _ value: @escaping @Sendable (NodeReport) -> UInt64
  ) -> TargetFact {
    TargetFact(name: name, help: help, kind: .number) { .number(Double(value($0))) }
  }

  /// The topic `targets`: an object for each report.
  static func json(_ reports: [NodeReport]) -> Json {
    .array(reports.map { report in .object(all.map { ($0.name, $0.value(report)) }) })
  }
}
