import Testing

@testable import OSC

@Suite struct AddressPatternTests {
  @Test(arguments: [
    ("rig", "rig", true), ("rig", "rigs", false), ("rig", "ri", false),
    ("*", "anything", true), ("*", "", true), ("r*g", "rig", true), ("r*g", "rg", true),
    ("r*g", "rigs", false),
    ("*1", "lamp1", true), ("a**b", "ab", true),
    ("?", "a", true), ("?", "", false), ("??", "a", false), ("lamp?", "lamp7", true),
    ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a-c]x", "dx", true), ("[!a-c]x", "bx", false),
    ("[c-a]", "b", true), ("[a-]", "-", true), ("[abc]", "c", true),
    ("{rig,lamp}", "lamp", true), ("{rig,lamp}", "rigs", false), ("{rig,lamp}[12]", "rig2", true),
    ("{a,ab}b", "abb", true), ("{a,ab}b", "ab", true), ("x{,y}", "x", true),
  ])
  func `a name matches a pattern or not`(pattern: String, name: String, fits: Bool) throws {
    #expect(try #require(AddressPattern(pattern)).matches(name) == fits)
  }

  @Test(arguments: ["[a", "{a", "a]", "a}", "{a,b"])
  func `an unclosed pattern is invalid`(text: String) { #expect(AddressPattern(text) == nil) }

  @Test func `a plain name is no pattern`() throws {
    #expect(try !#require(AddressPattern("rig")).isPattern)
    #expect(try #require(AddressPattern("r?g")).isPattern)
  }

  @Test func `the most hostile pattern takes linear time, not exponential`() throws {
    let pattern = try #require(AddressPattern(String(repeating: "*a", count: 8) + "b"))
    #expect(!pattern.matches(String(repeating: "a", count: 500)))
    #expect(AddressPattern(String(repeating: "*a", count: 9)) == nil)
    #expect(try #require(AddressPattern(String(repeating: "*", count: 500) + "b")).matches("aab"))
    let words = try #require(AddressPattern(String(repeating: "{a,aa,aaa}", count: 60) + "b"))
    #expect(!words.matches(String(repeating: "a", count: 180)))
  }
}
