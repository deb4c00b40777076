import Testing

@testable import Importers

@Suite struct ImportFaultTests {
  @Test func `a fault keeps its code and its sentence`() {
    #expect(ImportFault("not-a-plist", "a.plist is no property list").code == "not-a-plist")
  }
}
