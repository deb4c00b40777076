import OSC
import Particles
import Testing

@testable import Graphs

@Suite struct GraphHeaderTests {
  @Test(arguments: [
    ("60", FrameRate(60)), ("29.97", FrameRate(2997, per: 100)), ("30000/1001", FrameRate(30000, per: 1001)),
    ("50/2", FrameRate(25)), ("1", FrameRate(1)), ("1000", FrameRate(1000)),
  ])
  func `frames per second are exact`(text: String, rate: FrameRate) {
    #expect(check("visgraph: 1\nfps: \(text)\nnodes: { t: { type: tone } }").graph?.fps == rate)
  }

  @Test(arguments: [
    "0", "0.5", "1001", "-5", "1/0", "60/", "/2", "1e3", "fast", "1.5/2", "9999999999999", "[60]", "0/5",
  ])
  func `an invalid frame rate is refused`(text: String) {
    let faults = check("visgraph: 1\nfps: \(text)\nnodes: { t: { type: tone } }").faults
    #expect(
      faults.map(\.message).first?.hasSuffix("; it takes a number 1…1000, or a fraction such as 30000/1001")
        == true)
  }

  @Test(arguments: ["1280", "0x720", "1280x", "-1x5", "16385x1", "1280 x 720", "1x2x3"])
  func `an invalid size is refused`(text: String) {
    #expect(check("visgraph: 1\nstage: { size: \(text) }\nnodes: { t: { type: tone } }").faults.count == 1)
  }

  @Test(arguments: ["0", "one", "[1]", "1.5.2", "-1", ""])
  func `an invalid version is refused`(text: String) {
    #expect(check("visgraph: \(text)\nnodes: { t: { type: tone } }").faults.map(\.code) == ["wrong-version"])
  }

  @Test func `the title is the file's name unless it is set, and keys beginning with x- are ignored`() {
    #expect(
      check("visgraph: 1\nx-y: { ${: 1 }\nnodes: { x-t: 5, t: { type: tone, x-n: [${q] } }").graph == nil)
    let graph = check("visgraph: 1\nx-y: '${q}'\nnodes: { x-t: 5, t: { type: tone, x-n: '${q}' } }").graph
    #expect(graph?.name == "graph" && graph?.nodes.count == 1)
  }

  @Test func `a stage has a background color or picture, and an arrangement of emitters`() throws {
    func stage(_ text: String) throws -> Stage {
      try #require(check("visgraph: 1\nstage: { \(text) }\nnodes: { t: { type: tone } }").graph?.stage)
    }
    let picture = try stage("background: back.PNG, tone: clip, arrange: ring, margin: 10 %")
    #expect(picture.picture?.path == "back.PNG" && picture.background == Color(red: 0, green: 0, blue: 0))
    #expect(picture.tone == .clip && picture.arrange == .ring && picture.margin == 0.1)
    #expect(try stage("background: a/b").picture?.path == "a/b")
    let color = try stage("background: red")
    #expect(color.picture == nil && color.background == Color(red: 1, green: 0, blue: 0))
    #expect(color.tone == .soft && color.arrange == .row && color.margin == 0)
  }

  @Test func `the files that a graph uses are listed`() {
    let graph = check("visgraph: 1\nstage: { background: a/b.png }\nnodes: { t: { type: tone } }").graph
    #expect(graph?.files == ["a/b.png"])
  }

  private func control(_ text: String) -> CheckResult {
    check("visgraph: 1\ncontrol: \(text)\nnodes: { t: { type: tone } }")
  }

  @Test func `the control port listens where the file says, for the machines that it names`() throws {
    let settings = try #require(
      control(
        "{ listen: 0.0.0.0:7770, allow: [192.168.1.0/24, fd00::5], key: swordfish-1, feedback: 192.168.1.30:9000 }"
      ).graph?.control)
    #expect(settings.listen == .at(try ListenAddress("0.0.0.0:7770")) && settings.key == "swordfish-1")
    #expect(settings.allow == .networks([try Network("192.168.1.0/24"), try Network("fd00::5")]))
    #expect(settings.feedback == [try Endpoint("192.168.1.30:9000")])
    #expect(control("{ listen: \"[::]:7771\", allow: any }").graph?.control.allow == .any)
    #expect(control("{ listen: off }").graph?.control.listen == .off)
    #expect(control("{ listen: 7771 }").graph?.control.listen == .at(ListenAddress(port: 7771)))
    #expect(control("{ allow: 10.0.0.1 }").graph?.control.allow == .networks([try Network("10.0.0.1")]))
    #expect(
      control("{}").graph?.control.listen == .standard && control("").graph?.control.listen == .standard)
    #expect(control("{ feedback: [a:1, \"[::1]:2\"] }").graph?.control.feedback.map(\.port) == [1, 2])
  }

  @Test func `an open control port needs a list of machines that may send`() {
    for text in ["\"[::]:7770\"", "192.168.1.5:7770", "\"[fe80::1]:5\""] {
      #expect(control("{ listen: \(text) }").faults.map(\.code) == ["control-open"], "\(text)")
    }
    for text in ["127.0.0.2:7770", "\"[::1]:7770\"", "7770"] {
      #expect(control("{ listen: \(text) }").faults.isEmpty, "\(text)")
    }
  }
}
