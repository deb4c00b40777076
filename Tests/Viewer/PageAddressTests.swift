import Testing

@testable import Viewer

/// The path and the query of a request.
@Suite struct PageAddressTests {
  static let addresses: [(String, String, [String: String])] = [
    ("/", "/", [:]), ("/desk?key=x", "/desk", ["key": "x"]), ("/?a&b=&a=1", "/", ["a": "1", "b": ""]),
    ("/a?b=c=d&&e", "/a", ["b": "c=d", "e": ""]), ("/a?b=1#c", "/a", ["b": "1"]),
    ("/a#b?key=x", "/a", [:]), ("/a%2Fb?c=%20", "/a%2Fb", ["c": "%20"]),
  ]

  @Test(arguments: addresses)
  func `an address is a path and the values of its query, without a fragment`(
    text: String, path: String, query: [String: String]
  ) throws {
    let address = try #require(PageAddress(text))
    #expect(address.path == path && address.query == query)
  }

  @Test(arguments: ["", "desk", "#/", "?key=x", "http://stage/"])
  func `a text that begins with no slash is no address`(text: String) {
    #expect(PageAddress(text) == nil)
  }
}
