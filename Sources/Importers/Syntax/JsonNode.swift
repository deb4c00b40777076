import System

/// A value of a JSON file. [control]
enum JsonNode {
  case map([(key: String, value: JsonNode)])
  case array([JsonNode])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// The most values of a file.
  static let most = 400_000

  /// The root object of a file. Throws where the file is not JSON, not an object, or too large.
  static func object(in bytes: [UInt8], called file: String) throws(ImportError) -> JsonNode {
    // Every value needs one of these characters: their number limits what the reader allocates.
    let marks = bytes.withUnsafeBytes { all in
      all.lazy.filter { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count
    }
    guard marks <= most else { throw ImportError("hostile-json", "\(file): has more than \(most) values") }
    guard let pairs = JsonReader.object(in: bytes, of: JsonNode.self) else {
      throw ImportError("broken-json", "\(file): is broken JSON, or no object")
    }
    return .map(pairs.map { (key: $0.0, value: $0.1) })
  }

  /// The members of an object in the order of the file; empty for any other value.
  var pairs: [(key: String, value: JsonNode)] { if case .map(let pairs) = self { pairs } else { [] } }
  /// The elements of an array; empty for any other value.
  var values: [JsonNode] { if case .array(let values) = self { values } else { [] } }
  /// The text of a string; nil for any other value.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// A finite number; nil for any other value.
  var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The value of a key; the last one counts.
  subscript(key: String) -> JsonNode? { pairs.last { $0.key == key }?.value }
}

extension JsonNode: ReadFromJson {
  static func object(_ pairs: [(String, JsonNode)]) -> JsonNode {
    .map(pairs.map { (key: $0.0, value: $0.1) })
  }
}
