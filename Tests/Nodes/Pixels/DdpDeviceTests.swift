import Testing

@testable import Nodes

/// The answers of DDP devices about themselves.
@Suite struct DdpDeviceTests {
  private func facts(_ answers: String...) -> DdpFacts {
    answers.reduce(into: DdpFacts()) { $0.take(Array($1.utf8)) }
  }

  @Test func `a device with fewer LEDs than are sent is reported as a fault`() {
    let device = facts(
      #"{"status":{"man":"Acme","mod":"P16","ver":"7.1","push":true}}"#,
      #"{"config":{"ports":[{"port":"0","ts":"0","l":"300","ss":"0"},{"port":1,"l":180,"ss":300}]}}"#)
    #expect(device.isWhole && device.name == "Acme P16 7.1" && device.leds == 480)
    let few = device.words(needed: 481)
    #expect(few?.text == "Acme P16 7.1, 480 LEDs, and 481 are sent" && few?.isWell == false)
    let enough = device.words(needed: 480)
    #expect(enough?.text == "Acme P16 7.1, 480 LEDs" && enough?.isWell == true)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"status":3}"#, #"{"config":{"ports":"many"}}"#, #"{"config":{"ports":[{"l":-3}]}}"#,
    #"{"config":{"ports":[{"l":1e300}]}}"#,
  ])
  func `an invalid answer gives no number of LEDs`(_ json: String) {
    #expect(facts(json).leds == nil)
    #expect(facts(json).words(needed: 5)?.isWell ?? true)
  }

  @Test func `control characters are removed from a device's name`() {
    let device = facts("{\"status\":{\"man\":\"A\\u001b[2Jb\",\"mod\":\"\"}}")
    #expect(device.name == "A[2Jb")
  }
}
