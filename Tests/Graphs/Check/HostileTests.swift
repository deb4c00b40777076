import Glibc
import TestSupport
import Testing

@testable import Graphs

/// Files with excessive content end in an error, fast.
///
/// The times are CPU times of debug builds: other processes count only as far as they slow the processor down, and
/// release builds are far below.
@Suite(.serialized, .blocking) struct HostileTests {
  /// Three times the CPU time of the slowest file on a slow processor, in seconds. A check whose time grows with the
  /// square of a file's length, or faster, takes minutes.
  private static let limit = 10.0

  private func outcome(of text: String) -> (codes: [String], seconds: Double) {
    let began = processorSeconds
    let checked = Checker(testCatalogue).check(SourceText(path: "graph.yaml", text: text))
    return (checked.faults.map(\.code), processorSeconds - began)
  }

  /// CPU time of this thread, in seconds.
  private var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test func `every hostile file ends in its error within the time`() {
    let head = "visgraph: 1\nnodes:\n  t: { type: tone, channels: 2 }\n"
    var bomb = "a: &a [x,x]\n"
    for level in 0..<30 { bomb += "k\(level): &k\(level) [*a,*a]\n" }
    var likes = "visgraph: 1\nnodes:\n  n0: { type: tone }\n"
    for index in 1...19000 { likes += "  n\(index): { like: n\(index - 1) }\n" }
    var likeRing = "visgraph: 1\nnodes:\n"
    for index in 0..<19000 { likeRing += "  n\(index): { like: n\((index + 1) % 19000) }\n" }
    var million = "visgraph: 1\nnodes:\n"
    for index in 0..<300_000 { million += "  a\(index): {}\n" }
    var ring = "visgraph: 1\nnodes:\n"
    for index in 0..<9000 { ring += "  n\(index): { type: blend }\n" }
    ring += "wires:\n"
    for index in 0..<9000 { ring += "- n\(index) -> n\((index + 1) % 9000)\n" }
    var doubling = head + "  g0: { type: gauge }\n"
    for index in 1...20 { doubling += "  c\(index): { type: postman }\n" }
    doubling += "wires:\n- t -> g0 -> c1\n"
    for index in 1..<20 { doubling += "- c\(index) -> c\(index + 1)\n- c\(index) -> c\(index + 1)\n" }
    var faults = "visgraph: 1\nnodes:\n"
    for index in 0..<9000 { faults += "  n\(index): { type: gauge, relase: 1 }\n" }
    var patterns = "visgraph: 1\nnodes:\n"
    for index in 0..<14000 { patterns += "  n\(index): { type: postman, to: \"\(repeated(":1", 120))x\" }\n" }
    let long = { (number: Int) in "\(number)" + String(repeating: "abcdefgh", count: 7) }
    var values = "visgraph: 1\nvalues:\n"
    for index in 0..<8000 { values += "  value\(index): 1\n" }
    values += "x: ["
    for index in 0..<20000 { values += "\"${valve\(index)}\"," }
    values += "]\nnodes: { t: { type: tone } }\n"
    var names = "visgraph: 1\nnodes:\n  t: { type: tone, channels: 64, names: ["
    for index in 0..<64 { names += "\(long(index)), " }
    names += "] }\n  s: { type: speaker }\nwires:\n"
    for index in 0..<10000 { names += "- t[\(long(index))x] -> s\n" }
    var strangers = "visgraph: 1\nnodes:\n"
    for index in 0..<9000 { strangers += "  \(long(index)): { like: \(long(index))x }\n" }
    var shared = "visgraph: 1\nnodes:\n  n0: { type: gauge, each: {"
    for index in 1..<250 { shared += "\(index): { release: 1 }, " }
    shared += "} }\n"
    for index in 1..<9000 { shared += "  n\(index): { like: n0 }\n" }
    let unknownKeys = (0..<40000).map { "s\($0): 1, " }.joined()
    let cases: [(String, String, String)] = [
      ("values that are not there", values, "unknown-value"),
      ("channels that are not there", names, "unknown-channel"),
      ("nobody is like anybody", strangers, "unknown-node"),
      ("thousands like one with much", shared, "nothing-wired"),
      ("many faults in one node", head + "  g: { type: gauge, \(unknownKeys)}", "unknown-setting"),
      ("texts that almost fit", patterns, "wrong-text"),
      (
        "a list without end", head + "  p: { type: sprinkler, drive: [\(repeated("{key: a}, ", 15000))] }",
        "nothing-wired"
      ),
      ("dollars", head + "x-a: 1\nname: \"\(repeated("$${", 900_000))${\"\n", "open-substitution"),
      ("an unknown id, often", head + "wires: [\(repeated("q -> q, ", 40000))]", "unknown-node"),
      ("alias bomb", bomb, "yaml-anchor"),
      ("deep list", repeated("[", 100_000), "too-deep"),
      ("deep map", repeated("{a: ", 100_000), "too-deep"),
      ("a million nodes", million, "too-long"),
      ("a long line of values", "visgraph: 1\nx-a: [\(repeated("1,", 300_000))]", "too-long"),
      ("keys twice", "visgraph: 1\n" + repeated("a: 1\n", 40000), "duplicate-key"),
      (
        "a selector without end", head + "  s: { type: speaker }\nwires: [\"t[1-99999999999] -> s\"]",
        "unknown-channel"
      ),
      (
        "a selector beyond integers",
        head + "  s: { type: speaker }\nwires: [\"t[\(repeated("9", 99))] -> s\"]",
        "unknown-channel"
      ),
      (
        "a selector said often",
        head + "  s: { type: speaker }\nwires: [\"t[\(repeated("1-2,", 9000))1] -> s\"]",
        "too-long"
      ),
      (
        "a place far away", head + "  s: { type: speaker }\nwires: [\"t -> s[99999999]\"]",
        "too-many-channels"
      ),
      ("like after like", likes, "like-too-long"),
      ("like in a ring", likeRing, "like-loop"),
      ("a ring of wires", ring, "wire-loop"),
      ("widths that double", doubling, "too-many-channels"),
      ("thousands of faults", faults, "unknown-setting"),
      ("a huge number", head.replacing("2 }", "1e999 }"), "wrong-value"),
      (
        "a number of a million figures", head.replacing("2 }", repeated("9", 1_000_000) + " }"), "wrong-value"
      ),
      ("a chain without end", head + "wires: [\"t\(repeated("->t", 300_000))\"]", "too-long"),
      (
        "wires that pick much",
        head + "  s: { type: speaker }\nwires:\n"
          + repeated("- t[\(repeated("1-2,", 200))1] -> s\n", 1000), "too-many-channels"
      ),
      ("a wire of nonsense", head + "wires: [\"t \(repeated("x ", 900_000))\"]", "wire-syntax"),
      (
        "spaces beside a letter beyond ASCII",
        "visgraph: 1\nname: é" + repeated(" ", 250_000) + "x\nnodes: { t: { type: tone } }\n", "wrong-text"
      ),
      ("a value in itself", "visgraph: 1\nvalues: { a: \"${a}${a}\" }\nnodes: {}", "unknown-value"),
    ]
    for (name, text, code) in cases {
      let (codes, seconds) = outcome(of: text)
      #expect(codes.contains(code), "\(name)")
      #expect(seconds < Self.limit, "\(name) took \(seconds) s")
    }
  }

  @Test(arguments: ["{key: a}, ", "key: ", "{key: {stage: "])
  func `the text of a fault in a long line takes no time`(part: String) {
    let line = "x: [" + repeated(part, 40_000)
    let text = DiagnosticText(SourceText(path: "graph.yaml", text: line))
    let began = processorSeconds
    let shown = text.text(
      Diagnostic("code", "sentence", at: SourceRange(line: 1, column: 1, endLine: 1, endColumn: 2)), .error)
    #expect(shown.contains("x: [") && !shown.contains("a}"))
    #expect(processorSeconds - began < Self.limit)
  }

  @Test func `values that double do not exhaust the memory`() {
    var text = "visgraph: 1\nvalues:\n  v0: xxxxxxxxxx\n"
    for index in 1...40 { text += "  v\(index): \"${v\(index - 1)}${v\(index - 1)}\"\n" }
    let (codes, seconds) = outcome(of: text + "nodes: { a: { type: \"${v40}\" } }")
    #expect(codes.contains("too-long"))
    #expect(seconds < Self.limit)
  }

  @Test func `settings of single channels have a limit in total`() {
    var text = "visgraph: 1\nnodes:\n  t: { type: tone, channels: 64 }\n  g: { type: gauge, each: {\n"
    for index in 0..<600 { text += "\"1-64\(String(repeating: " ", count: index))\": { release: 1 },\n" }
    let (codes, seconds) = outcome(of: text + "} }\nwires: [t -> g]")
    #expect(codes.contains("too-long"))
    #expect(seconds < Self.limit)
  }

  @Test func `at most a hundred faults are shown, and the rest is counted`() {
    var text = "visgraph: 1\nnodes:\n"
    for index in 0..<2500 { text += "  n\(index): { type: gauge, relase: 1 }\n" }
    let faults = check(text).faults
    #expect(faults.count == 101)
    #expect(faults.last?.code == "further-faults")
    #expect(faults.prefix(100).map { $0.mark?.line } == (3...102).map { $0 })
  }
}

extension String {
  fileprivate func replacing(_ part: String, _ other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
