import Testing

@testable import Hosts

@Suite struct JackPatternTests {
  @Test func `only a text between slashes is a pattern`() {
    #expect(JackPattern.text(in: "/^mixer:/") == "^mixer:")
    #expect(JackPattern.text(in: "//") == "")
    for name in ["/", "", "mixer:out_1", "/mixer:out", "mixer:out/"] {
      #expect(JackPattern.text(in: name) == nil)
    }
  }

  private func matches(_ text: String, _ name: String) -> Bool? {
    guard let pattern = JackPattern(text) else { return nil }
    return pattern.matches(name)
  }

  @Test func `a pattern matches anywhere in a name unless anchored, and an invalid one is nil`() {
    #expect(matches("out_[12]", "mixer:out_2") == true)
    #expect(matches("^out_[12]", "mixer:out_2") == false)
    #expect(matches("(", "mixer:out_2") == nil)
  }

  @Test func `the group of a port is its node's id`() {
    #expect(JackMetadata.group(of: "in_2") == "in")
    #expect(JackMetadata.group(of: "left_hall_12") == "left_hall")
    #expect(JackMetadata.group(of: "alone") == "alone")
    #expect(JackMetadata.group(of: "_1") == "_1")
  }
}
