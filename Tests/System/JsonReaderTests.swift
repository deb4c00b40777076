import Foundation
import System
import Testing

/// JSON of pages and of other programs' files.
@Suite struct JsonReaderTests {
  private indirect enum Value: ReadFromJson {
    case object([(String, Value)])
    case array([Value])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    /// The value as JSON, with its keys in order.
    var words: String {
      switch self {
      case .object(let pairs): "{" + pairs.map { "\($0.0)=\($0.1.words)" }.joined(separator: " ") + "}"
      case .array(let values): "[" + values.map(\.words).joined(separator: " ") + "]"
      case .string(let text): "'\(text)'"
      case .number(let number): "\(number)"
      case .bool(let flag): "\(flag)"
      case .null: "null"
      }
    }
  }

  private func read(_ text: String) -> String? {
    JsonReader.value(in: Array(text.utf8), as: Value.self)?.words
  }

  @Test func `values of every kind are read, and keys keep their order and their duplicates`() {
    #expect(
      read(#" {"b": [1, -0.5, 2e3, 1E-2, true, false, null], "a": {}, "b": "x"} "#)
        == "{b=[1.0 -0.5 2000.0 0.01 true false null] a={} b='x'}")
    #expect(read("[]") == "[]")
    #expect(read("\u{FEFF}1\n") == "1.0")
    #expect(read("1e999") == "inf" && read("-1e999") == "-inf" && read("1e-999") == "0.0")
    #expect(read(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00ü😀\u0000""#) == "'\"\\/\u{8}\u{C}\n\r\t\u{E9}😀ü😀\0'")
    #expect(JsonReader.object(in: Array(#"{"a": 1}"#.utf8), of: Value.self)?.count == 1)
    #expect(JsonReader.object(in: Array("[1]".utf8), of: Value.self) == nil)
  }

  @Test(arguments: [
    "", " ", "nul", "truth", "tru", "nulll", "'a'", "a", "01", "-", "+1", ".5", "1.", "1e", "1e+", "--1",
    "0x10", "NaN", "Infinity", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}",
    "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\":1", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
    "\"\\uD800\"", "\"\\uD800\\u0041\"", "\"\\uDC00\"", "\"a\nb\"", "\"\0\"", "1 2", "{} []", "// a\n1",
    "\u{A0}1",
  ])
  func `a text that is no JSON is nil`(_ text: String) {
    #expect(read(text) == nil)
    // Foundation's parser as a second opinion; it accepts a trailing comma.
    guard !text.hasSuffix(",]"), !text.hasSuffix(",}") else { return }
    #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) == nil)
  }

  @Test func `bytes that are no UTF-8, and values nested too deep, are nil`() {
    #expect(JsonReader.value(in: [0x22, 0xFF, 0x22], as: Value.self) == nil)
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(read(nested(JsonReader.mostDepth)) != nil)
    #expect(read(nested(JsonReader.mostDepth + 1)) == nil)
    #expect(read(String(repeating: "{\"a\":", count: 1_000_000)) == nil)
  }
}
