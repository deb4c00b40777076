import Testing

@testable import OSC

@Suite struct AddressTemplateTests {
  let values = AddressTemplate.Values(node: "rig", source: "level", channel: 2, name: "Kick/In 1*")

  @Test(arguments: [
    ("/visgraph/{node}/{channel}", "/visgraph/rig/2"),
    ("/{source}/{name}", "/level/Kick_In_1_"),
    ("/0/dmx/{channel}", "/0/dmx/2"),
    ("/ch{channel}fader", "/ch2fader"),
    ("/{channel}{channel}", "/22"),
    ("/plain", "/plain"),
    ("/a-b_c.d~!\"$%&'()+:;<=>@^`|\\", "/a-b_c.d~!\"$%&'()+:;<=>@^`|\\"),
  ])
  func `placeholders are replaced`(text: String, address: String) throws {
    let template = try AddressTemplate(text)
    #expect(template.expand(values) == address)
    #expect(template.description == text)
    #expect(throws: Never.self) { try AddressCharacters.check(template.expand(values)) }
  }

  @Test func `the standard template gives the documented text`() throws {
    #expect(try AddressTemplate(AddressTemplate.standard.description) == .standard)
  }

  @Test(arguments: [
    ("", "_"), ("Größe", "Gr__e"), ("a{b}", "a_b_"), ("x,y?[z]#", "x_y__z__"), ("\r\n", "_"),
    ("tab\there", "tab_here"),
  ])
  func `characters that OSC forbids in a name become underscores`(name: String, part: String) throws {
    var values = values
    values.name = name
    #expect(try AddressTemplate("/{name}").expand(values) == "/" + part)
  }

  @Test(arguments: [
    ("", OSCError.addressStart("")),
    ("level/{channel}", .addressStart("level/{channel}")),
    ("/a b", .addressCharacter(" ", at: 2, in: "/a b")),
    ("/{node}/ü", .addressCharacter("ü", at: 8, in: "/{node}/ü")),
    ("/a*", .addressCharacter("*", at: 2, in: "/a*")),
    ("/a}", .addressCharacter("}", at: 2, in: "/a}")),
    ("/a\u{0}", .addressCharacter("\0", at: 2, in: "/a\u{0}")),
    ("/", .addressEmptyPart(at: 0, in: "/")),
    ("/a//b", .addressEmptyPart(at: 2, in: "/a//b")),
    ("/a/", .addressEmptyPart(at: 2, in: "/a/")),
    ("/{node", .openPlaceholder(at: 1, in: "/{node")),
    ("/{chanel}", .unknownPlaceholder("chanel", at: 1, nearest: "channel")),
    ("/x/{Node}", .unknownPlaceholder("Node", at: 3, nearest: "node")),
    ("/{}", .unknownPlaceholder("", at: 1, nearest: nil)),
    ("/{temperature}", .unknownPlaceholder("temperature", at: 1, nearest: nil)),
  ])
  func `an invalid template is refused with the place`(text: String, fault: OSCError) {
    #expect(throws: fault) { try AddressTemplate(text) }
  }

  @Test func `each of the forbidden characters is refused`() {
    for character in " #*,?[]" {
      #expect(throws: OSCError.addressCharacter(character, at: 1, in: "/\(character)")) {
        try AddressTemplate("/\(character)")
      }
    }
  }

  @Test func `the placeholders of a template are known`() throws {
    #expect(try AddressTemplate("/{node}/{channel}/x").placeholders == [.node, .channel])
  }
}
