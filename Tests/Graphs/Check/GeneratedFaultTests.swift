import System
import Testing

@testable import Graphs

/// Hundreds of graph files, each valid but for one or two mistakes at known places.
@Suite struct GeneratedFaultTests {
  /// The faults of a text, sorted by place.
  private func faults(_ text: String) -> [String] {
    check(text).faults.sorted {
      ($0.mark?.line ?? 0, $0.mark?.column ?? 0) < ($1.mark?.line ?? 0, $1.mark?.column ?? 0)
    }
    .map { "\($0.mark?.line ?? 0):\($0.mark?.column ?? 0) \($0.code)" }
  }

  @Test func `the graphs without mistakes are valid`() {
    var random = RandomStream(seed: 0x600D)
    for _ in 0..<100 {
      let text = MadeGraph(&random).text
      #expect(faults(text) == [], "\(diagnosticText(text))\n\(text)")
    }
  }

  @Test func `500 graphs with one or two mistakes give the code of each at its place, and no others`() {
    var random = RandomStream(seed: 0xFA17)
    var kinds: [String: Int] = [:]
    for number in 0..<500 {
      var graph = MadeGraph(&random)
      graph.slip(&random)
      if number % 4 == 0 { graph.slip(&random) }
      let expected = graph.expected
      #expect(
        faults(graph.unmarked) == expected,
        "\(number): \(graph.slips): \(expected)\n\(diagnosticText(graph.unmarked))\n\(graph.unmarked)")
      for slip in graph.slips { kinds[slip, default: 0] += 1 }
    }
    #expect(kinds.count == Slip.all.count && kinds.values.allSatisfy { $0 >= 5 }, "\(kinds)")
  }
}

/// A kind of mistake: texts of a graph with their replacements, and the code of the fault at the mark in them.
private struct Slip {
  let name: String
  let code: String
  /// Texts of which one is replaced, each with its replacement; `¦` marks the place.
  let changes: [(of: String, by: String)]

  /// No-break spaces and similar characters.
  private static let spaces = ["\u{A0}", "\u{202F}", "\u{3000}"]

  static let all: [Slip] = [
    Slip(
      name: "quotes", code: "typographic-character",
      changes: ["“ ”", "„ “", "« »", "” ”"].map { pair in
        let signs = pair.split(separator: " ")
        return ("\"127.0.0.1:7700\"", "¦\(signs[0])127.0.0.1:7700\(signs[1])")
      }),
    Slip(
      name: "space", code: "typographic-character",
      changes: spaces.flatMap {
        [
          ("release: 1 s", "release: 1¦\($0)s"), ("song ->", "song¦\($0)->"),
          ("type: gauge", "type:¦\($0)gauge"),
        ]
      }),
    Slip(
      name: "dash", code: "typographic-character",
      changes: ["\u{2212}", "\u{2013}"].map { ("gain: -6 dB", "gain: ¦\($0)6 dB") }),
    Slip(
      name: "arrow", code: "typographic-character",
      changes: ["\u{2192}", "\u{2013}>", "\u{21D2}"].map { ("song -> meter", "song ¦\($0) meter") }),
    Slip(
      name: "capital", code: "unknown-setting",
      changes: [
        ("type: tone", "¦Type: tone"), ("type: gauge", "¦Type: gauge"), ("fps:", "¦Fps:"),
        ("release: 1 s", "¦Release: 1 s"),
      ]),
    Slip(
      name: "colon", code: "missing-colon",
      changes: [
        ("wires:", "¦wires"), ("nodes:", "¦nodes"), ("meter: {", "¦meter {"), ("rig: {", "¦rig {"),
        ("calm: {", "¦calm {"), ("fps: 30", "¦fps 30"),
      ]),
    Slip(
      name: "space behind a colon", code: "missing-space",
      changes: [("    type: gauge", "    ¦type:gauge"), ("    type: tone", "    ¦type:tone")]),
    Slip(
      name: "item", code: "list-among-keys",
      changes: [("  rig: {", "  ¦- rig: {"), ("  meter: {", "  ¦- meter: {")]),
    Slip(
      name: "color", code: "unquoted-color",
      changes: ["#fff", "#ff8800", "#ff880080"].map { ("background: \"#fff\"", "background: ¦\($0)") }),
    Slip(
      name: "settings below a node", code: "misplaced-setting",
      changes: [
        ("calm: { meter.release: 2 s }", "calm: { ¦meter: { release: 2 s } }"),
        ("calm: { meter.release: 2 s }", "calm: { ¦settings: { meter.release: 2 s } }"),
      ]),
    Slip(
      name: "port", code: "wrong-value",
      changes: [
        ("view: { listen: 7780 }", "view: ¦7780"), ("view: { listen: 7780 }", "view: ¦on"),
        ("view: { listen: 7780 }", "view: ¦127.0.0.1:7780"),
      ]),
    Slip(
      name: "setting", code: "unknown-setting",
      changes: [
        ("release: 1 s", "¦relaese: 1 s"), ("gain: -6 dB", "¦gian: -6 dB"), ("root: 2", "¦rot: 2"),
        ("view:", "¦veiw:"), ("fps:", "¦fsp:"),
      ]),
    Slip(
      name: "node", code: "unknown-node",
      changes: [("-> rig", "-> ¦rigg"), ("song ->", "¦sogn ->"), ("-> level", "-> ¦levle")]),
    Slip(
      name: "type", code: "unknown-type",
      changes: [
        ("type: gauge", "type: ¦guage"), ("type: postman", "type: ¦postmann"), ("type: tone", "type: ¦tonne"),
      ]),
    Slip(
      name: "word", code: "wrong-value",
      changes: [
        ("fps: 30", "fps: ¦0"), ("fps: 30", "fps: ¦fast"), ("root: 2", "root: ¦two"),
        ("release: 1 s", "release: ¦slow"),
      ]),
    Slip(
      name: "range", code: "out-of-range",
      changes: [
        ("release: 1 s", "release: ¦61 s"), ("gain: -6 dB", "gain: ¦21 dB"),
        ("root: 2", "root: ¦11"),
        ("frequency: 440 Hz", "frequency: ¦0 Hz"), ("frequency: 440 Hz", "frequency: ¦20.1 kHz"),
      ]),
  ]
}

/// A graph of a few nodes, in braces or in lines.
private struct MadeGraph {
  /// The text, in which `¦` marks the places of mistakes.
  private(set) var text: String
  /// The names of the kinds of its mistakes.
  private(set) var slips: [String] = []
  /// The codes of its mistakes, by their lines from 1.
  private var codes: [Int: String] = [:]

  init(_ random: inout RandomStream) {
    func node(_ id: String, _ settings: [String], _ random: inout RandomStream) -> [String] {
      Bool.random(using: &random)
        ? ["  \(id): { \(settings.joined(separator: ", ")) }"] : ["  \(id):"] + settings.map { "    " + $0 }
    }
    var head = [
      "fps: 30", "stage: { background: \"#fff\" }", "view: { listen: 7780 }",
      "scenes:\n  calm: { meter.release: 2 s }", "name: Show",
    ]
    head.shuffle(using: &random)
    head.removeLast(.random(in: 0...2, using: &random))
    let nodes = [
      node("song", ["type: tone", "frequency: 440 Hz", "gain: -6 dB"], &random),
      node("meter", ["type: gauge", "release: 1 s"], &random),
      node("level", ["type: curve", "root: 2"], &random),
      node("rig", ["type: postman", "to: \"127.0.0.1:7700\""], &random),
    ].flatMap { $0 }
    let chain = "song -> meter -> level -> rig"
    let wires = Bool.random(using: &random) ? ["wires: [\(chain)]"] : ["wires:", "  - \(chain)"]
    let body = Bool.random(using: &random) ? ["nodes:"] + nodes + wires : wires + ["nodes:"] + nodes
    text = (["visgraph: 1"] + head + body).joined(separator: "\n") + "\n"
  }

  /// Makes a mistake of a kind that the graph does not have yet, in a line without one; none where no kind fits.
  mutating func slip(_ random: inout RandomStream) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for slip in Slip.all.shuffled(using: &random) where !slips.contains(slip.name) {
      for change in slip.changes.shuffled(using: &random) {
        guard let line = lines.firstIndex(where: { $0.contains(change.of) && !$0.contains("¦") }) else {
          continue
        }
        var lines = lines
        lines[line] = lines[line].replacing(change.of, with: change.by, maxReplacements: 1)
        text = lines.joined(separator: "\n")
        slips.append(slip.name)
        codes[line + 1] = slip.code
        return
      }
    }
  }

  /// The text without the marks.
  var unmarked: String { text.replacing("¦", with: "") }

  /// The place and the code of each mistake.
  var expected: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
      guard let mark = line.unicodeScalars.firstIndex(of: "¦") else { return nil }
      let column = line.unicodeScalars.distance(from: line.unicodeScalars.startIndex, to: mark) + 1
      return "\(number + 1):\(column) \(codes[number + 1] ?? "")"
    }
  }
}
