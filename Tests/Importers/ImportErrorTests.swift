import Testing

@testable import Importers

@Suite struct ImportErrorTests {
  @Test func `a fault keeps its code and its sentence`() {
    #expect(ImportError("not-a-plist", "a.plist is no property list").code == "not-a-plist")
  }
}
