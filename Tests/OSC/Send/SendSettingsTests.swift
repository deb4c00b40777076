import Testing

@testable import OSC

@Suite struct SendSettingsTests {
  @Test func `the defaults suit a live show`() throws {
    let settings = SendSettings()
    #expect(settings.rate == 60 && settings.change == 0 && settings.repeatInterval == 1)
    #expect(settings.bundle == .none && settings.send == .each && settings.zeroOnStop)
    try settings.check()
  }

  @Test(arguments: [-1, .nan, .infinity, 1000.5] as [Double])
  func `a rate outside its range is refused`(rate: Double) {
    var settings = SendSettings()
    settings.rate = rate
    expectRefusal(of: "rate", settings)
  }

  @Test(arguments: [-0.1, .nan, .infinity] as [Double])
  func `a change or repeat outside its range is refused`(value: Double) {
    var settings = SendSettings()
    settings.change = Float(value)
    expectRefusal(of: "change", settings)
    settings = SendSettings()
    settings.repeatInterval = value
    expectRefusal(of: "repeat", settings)
  }

  private func expectRefusal(of name: String, _ settings: SendSettings) {
    do throws(OSCError) {
      try settings.check()
      Issue.record("\(name) was accepted")
    } catch {
      guard case .setting(name, _, _) = error else {
        Issue.record("\(error) is not about \(name)")
        return
      }
    }
    #expect(throws: OSCError.self) { try Sender(addresses: ["/a"], channels: 1, settings: settings) }
  }
}
