import Particles
import Testing

@testable import Graphs

@Suite struct ColourTests {
  @Test func `a color is a name, numbers or a list`() {
    #expect(Color(css: "#FF8000")?.components.map { ($0 * 255).rounded() } == [255, 128, 0, 255])
    #expect(Color(css: "#FF800040")?.alpha == 64.0 / 255)
    #expect(Color(css: "White") == Color(red: 1, green: 1, blue: 1))
    #expect(Color(css: "Transparent")?.alpha == 0)
    for wrong in ["#FF", "#FFFFF", "#GG0000", "FF8000", "", "#", "#+12345", "#-00", "#-0000000", "whit"] {
      #expect(Color(css: wrong) == nil)
    }
  }

  /// A color in CSS notation, and its value: each component is given as 0…1, or as a number of 255.
  struct Written {
    let text: String
    let components: [Double]

    init(_ text: String, _ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
      self.text = text
      components = [red, green, blue, alpha]
    }

    static func of255(_ text: String, _ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1)
      -> Written
    {
      Written(text, red / 255, green / 255, blue / 255, alpha)
    }
  }

  static let written: [Written] = [
    Written("#fff", 1, 1, 1),
    .of255("#f80", 255, 136, 0),
    .of255("#F80C", 255, 136, 0, 0.8),
    .of255("rgb(255 128 0)", 255, 128, 0),
    .of255("rgb(255, 128, 0)", 255, 128, 0),
    .of255("rgb( 255 , 128,0 )", 255, 128, 0),
    .of255("RGB(255 128 0)", 255, 128, 0),
    .of255("rgb(255 128 0 / 50%)", 255, 128, 0, 0.5),
    .of255("rgb(255 128 0/0.25)", 255, 128, 0, 0.25),
    .of255("rgb(255, 128, 0, 0.5)", 255, 128, 0, 0.5),
    .of255("rgba(0, 0, 0, 25%)", 0, 0, 0, 0.25),
    .of255("rgba(1 2 3)", 1, 2, 3),
    Written("rgb(100% 50% 0%)", 1, 0.5, 0),
    Written("rgb(127.5 0 0)", 0.5, 0, 0),
    Written("hsl(0 100% 50%)", 1, 0, 0),
    Written("hsl(120 100% 50%)", 0, 1, 0),
    Written("hsl(240, 100%, 50%)", 0, 0, 1),
    Written("hsl(120deg 100% 25% / 0.5)", 0, 0.5, 0, 0.5),
    Written("hsla(240, 100%, 50%, 0.5)", 0, 0, 1, 0.5),
    Written("hsl(-120 100% 50%)", 0, 0, 1),
    Written("hsl(480 100% 50%)", 0, 1, 0),
    Written("hsl(0.5turn 100% 50%)", 0, 1, 1),
    Written("hsl(200grad 100% 50%)", 0, 1, 1),
    Written("hsl(30 100% 50%)", 1, 0.5, 0),
    Written("hsl(77 0% 50%)", 0.5, 0.5, 0.5),
    Written("hsl(0 100% 100%)", 1, 1, 1),
    Written("hsl(60 100 50)", 1, 1, 0),
  ]

  @Test(arguments: written)
  func `all notations of CSS are read exactly`(color: Written) throws {
    let read = try #require(Color(css: color.text))
    #expect(read.components == color.components)
    // In every case the color is written so that it reads back as the same.
    let graph = check(
      "visgraph: 1\nstage: { background: \(read.written(as: .color)) }\nnodes: { t: { type: tone } }"
    ).graph
    #expect(graph?.stage.background == read)
  }

  @Test(arguments: [
    "rgb(255 128)", "rgb(255 128 0 50%)", "rgb(256 0 0)", "rgb(-1 0 0)", "rgb(255,128 0)", "rgb 255 128 0",
    "rgb(255 128 0", "rgb(255 128 0))", "rgb(255 128 0 / 2)", "rgb(255 128 0 / 1 / 1)", "rgb()", "rgb(a b c)",
    "hsl(120 101% 50%)", "hsl(120% 100% 50%)", "hsl(1m 100% 50%)", "hsl(120, 100%)", "rgb(1 % 2 % 3 %)",
    "hsl(nan 0% 0%)", "rgb(1e400 0 0)", "#12345", "#1234567", "#xyz",
  ])
  func `other texts are not colors`(text: String) { #expect(Color(css: text) == nil) }

  @Test func `a background with a slash for its alpha is a color and no picture`() {
    let graph = check("visgraph: 1\nstage: { background: rgb(255 0 0 / 50%) }\nnodes: { t: { type: tone } }")
      .graph
    #expect(
      graph?.stage.background == Color(red: 1, green: 0, blue: 0, alpha: 0.5) && graph?.stage.picture == nil)
  }

  @Test(arguments: [
    ("# red", "stage.background has no value", "a # begins a comment: put the color in quotes"),
    ("blak", "stage.background is \"blak\"", "did you mean black?"),
    (
      "[0, 2, 0]", "stage.background is 2; it takes a number 0…1 (or %)",
      "for components 0…255 write rgb(0 2 0)"
    ),
    (
      "[255, 128, 0, 128]", "stage.background is 255; it takes a number 0…1 (or %)",
      "for components 0…255 write rgb(255 128 0 / 0.502)"
    ),
    (
      "[255, 128, 0, 0.5]", "stage.background is 255; it takes a number 0…1 (or %)",
      "for components 0…255 write rgb(255 128 0 / 0.5)"
    ),
    ("[0, -2, 0]", "stage.background is -2; it takes a number 0…1 (or %)", ""),
    (
      "{ x: rgb(1, 2, 3) }", "stage.background is a map", ""
    ),
    ("[0, 1]", "stage.background is a list", ""),
  ])
  func `an invalid color is refused with help`(text: String, message: String, note: String) {
    let fault = check("visgraph: 1\nstage:\n  background: \(text)\nnodes: { t: { type: tone } }").faults.first
    #expect(fault?.message.hasPrefix(message) == true)
    #expect(fault?.notes ?? [] == (note.isEmpty ? [] : [note]))
  }

  @Test func `a color is written so that it reads back exactly`() {
    #expect(Color(red: 1, green: 0, blue: 0).written(as: .color) == "\"#FF0000\"")
    #expect(Color(red: 0.5, green: 0, blue: 0, alpha: 1).written(as: .color) == "[0.5, 0, 0, 1]")
  }
}
