import Testing

@testable import Graphs

@Suite struct ColourTests {
  @Test func `a colour is a name, figures or a list`() {
    #expect(Colour("#FF8000")?.components.map { ($0 * 255).rounded() } == [255, 128, 0, 255])
    #expect(Colour("#FF800040")?.alpha == 64.0 / 255)
    #expect(Colour("White") == Colour(red: 1, green: 1, blue: 1))
    #expect(Colour("transparent")?.alpha == 0)
    for wrong in ["#FFF", "#GG0000", "FF8000", "", "#", "#+12345", "whit"] { #expect(Colour(wrong) == nil) }
  }

  @Test(arguments: [
    ("# red", "stage.background has no value", "a # begins a comment: put the colour in quotes"),
    ("blak", "stage.background is \"blak\"", "did you mean black?"),
    ("[0, 2, 0]", "stage.background is 2; it takes a number 0…1 (or %)", ""),
    ("[0, 1]", "stage.background is a list", ""),
  ])
  func `what is no colour is refused with help`(text: String, sentence: String, note: String) {
    let fault = check("visgraph: 1\nstage:\n  background: \(text)\nnodes: { t: { type: tone } }").faults.first
    #expect(fault?.sentence.hasPrefix(sentence) == true)
    #expect(fault?.notes ?? [] == (note.isEmpty ? [] : [note]))
  }

  @Test func `it is written as it can be read, exactly`() {
    #expect(Colour(red: 1, green: 0, blue: 0).written(as: .colour) == "\"#FF0000\"")
    #expect(Colour(red: 0.5, green: 0, blue: 0, alpha: 1).written(as: .colour) == "[0.5, 0, 0, 1]")
  }
}
