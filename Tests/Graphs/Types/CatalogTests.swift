import Testing

@testable import Graphs

@Suite struct CatalogTests {
  private struct Cell: FieldRecord, FieldValue {
    static let recordName = "cell"
    static let fields: [Field<Cell>] = []
  }
  private enum Wrong: NodeType {
    struct Settings: FieldRecord {
      var a = 5.0
      var b = 1
      var cell = Cell()
      static let recordName = "wrong"
      static let fields: [Field<Settings>] = [
        Field("a", \.a, .number(.none, 0...1), "Out of its own range."),
        Field("b", \.b, aliases: ["a"], "Named twice."), Field("type", \.b, ""),
        Field("cell", \.cell, "A cell that is not the sprinkler's."),
      ]
    }
    static let name = "wrong"
    static let aliases = ["tone"]
    static let help = "Is wrong."
    static func inputs(_ settings: Settings) -> [InputPort] {
      [InputPort("in", [.audio], width: .asFirst, "."), InputPort("in", [.audio], ".")]
    }
    static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  }

  @Test func `the catalog of the tests has no mistakes`() {
    #expect(testCatalogue.mistakes == [])
  }

  @Test func `the summary of a type ends with a sentence, not within a number`() {
    enum Dotted: NodeType {
      struct Settings: FieldRecord {
        static let recordName = "dotted"
        static let fields: [Field<Settings>] = []
      }
      static let name = "dotted"
      static let help = "Sends 0.5 by E1.31.\nMore follows."
      static func inputs(_ settings: Settings) -> [InputPort] { [] }
      static func outputs(_ settings: Settings) -> [OutputPort] { [] }
    }
    #expect(TypeDescription(Dotted.self).summary == "Sends 0.5 by E1.31.")
    #expect(
      ["hooks", "envelope", "loss", "list of hooks", "graph's name"].map(indefinite)
        == ["hooks", "an envelope", "a loss", "a list of hooks", "a graph's name"])
  }

  @Test func `mistakes in a declaration are reported`() {
    #expect(
      Catalog(types: [Tone.self, Sprinkler.self, Wrong.self]).mistakes == [
        "two node types are named tone",
        "wrong.a has the default 5, which is refused: a is 5; it takes a number 0…1",
        "wrong has two settings named a", "wrong has two settings named type", "wrong.type has no help",
        "wrong has two ports of one name: in, in", "wrong: the first input has a width of its own",
        "two records are named cell",
      ])
  }

  @Test func `types are found by older names, too`() {
    #expect(testCatalogue["vu"]?.name == "gauge")
    #expect(testCatalogue["nope"] == nil)
  }
}
