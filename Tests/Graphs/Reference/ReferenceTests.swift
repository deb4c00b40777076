import Testing

@testable import Graphs

@Suite struct ReferenceTests {
  @Test func `the help of a type has its ports and settings`() throws {
    let gauge = try #require(testCatalogue.descriptions.first { $0.name == "gauge" })
    #expect(
      NodeHelp.text(gauge) == """
        gauge

        Measures levels.

        Also called vu.

        Inputs
          audio  audio, required
                   What is measured.

        Outputs
          level  levels in dBFS
                   The level.
          peak   levels in dBFS
                   The held peak.

        Settings
          release  a number 0…60 s; default 0.3 s
                     How fast it falls.
                     a fader is logarithmic; single channels may have their own (each:); also called decay
          mode     one of peak, average; default peak
                     What is measured.
                     peak: the highest sample
                     average: the root of the mean square
                     single channels may have their own (each:)
          hold     a number 0…10 s, or none; default none
                     How long a peak stays.
                     a fader is logarithmic
          enabled  true or false; default true
                     Whether it measures.

        Example
          meter: { type: gauge, release: 250 ms }

        """)
  }

  @Test func `the list has a line for each type`() {
    let lines = NodeHelp.list(testCatalogue).split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines[0] == "tone       Plays a steady tone.")
  }

  @Test func `the reference has a row for each setting of a type and of its records`() {
    let page = NodesReference.markdown(testCatalogue)
    #expect(
      page.contains(
        "| `release` | a number 0…60 s | `0.3 s` | live | yes | How fast it falls. (A fader is logarithmic.) Also called `decay`. |"
      ))
    #expect(page.contains("### Settings of a cell"))
    #expect(page.contains("| in: `move` (optional) | levels 0…1 | A second level. |"))
    #expect(page == NodesReference.markdown(testCatalogue))
  }

  @Test func `every reference of the schema leads to a definition`() throws {
    let schema = GraphSchema.json(testCatalogue)
    #expect(schema.text == GraphSchema.json(testCatalogue).text)
    guard case .object(let top) = schema,
      case .object(let definitions)? = top.first(where: { $0.0 == "$defs" })?.1
    else { return #expect(Bool(false)) }
    let names = definitions.map(\.0)
    #expect(names.contains("record.cell") && names.contains("node.gauge") && Set(names).count == names.count)
    for part in schema.text.split(separator: "\"").map(String.init) where part.hasPrefix("#/$defs/") {
      #expect(names.contains(String(part.dropFirst(8))), "\(part)")
    }
  }

  @Test func `the schema accepts numbers as numbers and as text with a unit`() {
    let text = GraphSchema.schema(.number(.seconds, 0...60)).text
    #expect(text.contains("\"maximum\": 60"))
    #expect(text.contains("(s|ms|min|frame|frames)?"))
  }

  @Test func `JSON text has its characters escaped`() {
    #expect(Json.string("a\"\\\n\u{1}é").text == "\"a\\\"\\\\\\n\\u0001é\"\n")
    #expect(Json.number(.infinity).text == "null\n" && Json.number(0.5).text == "0.5\n")
  }
}
