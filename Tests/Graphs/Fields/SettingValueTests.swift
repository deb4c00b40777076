import Particles
import System
import Testing

@testable import Graphs

@Suite struct SettingValueTests {
  private static let values: [(value: SettingValue, text: String)] = [
    (.number(-12), "-12"), (.number(0.1), "0.1"), (.number(-0.0), "0"), (.flag(true), "true"),
    (.flag(false), "false"), (.written("-12 dB"), "-12 dB"), (.written("none"), "none"),
    (.text("a \"b\" \\c"), #""a \"b\" \\c""#),
    (.list([.number(1), .text("x"), .written("2 s")]), "[1, \"x\", 2 s]"),
    (.color(Color(red: 1, green: 0, blue: 0, alpha: 1)), "\"#FF0000\""),
    (.color(Color(red: 0.25, green: 0, blue: 1, alpha: 0.5)), "[0.25, 0, 1, 0.5]"),
  ]

  @Test func `a value is written as in a graph file, and reads back as the same value`() throws {
    for (value, text) in Self.values {
      #expect(value.text == text)
      let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
      let tree = try #require(Override(target: "a.b", value: value).tree(context))
      let written = try #require(Override(target: "a.b", value: text).tree(context))
      #expect(
        Color.read(tree, as: .color, context.quiet()) == Color.read(written, as: .color, context.quiet()))
      #expect(
        Double.read(tree, as: Double.kind, context.quiet())
          == Double.read(written, as: Double.kind, context.quiet()))
      #expect(Bool.read(tree, as: .flag, context.quiet()) == Bool.read(written, as: .flag, context.quiet()))
      switch value {
      case .number(let number):
        #expect(Double.read(written, as: Double.kind, context.quiet()) == number)
      case .flag(let isOn): #expect(Bool.read(written, as: .flag, context.quiet()) == isOn)
      case .color(let color): #expect(Color.read(written, as: .color, context.quiet()) == color)
      case .text(let text): #expect(String.read(written, as: .text(), context.quiet()) == text)
      case .list, .written: break
      }
      #expect(context.count == 0)
      // The tree of a color has its four components, which the text need not have.
      if case .color = value { continue }
      #expect(
        String.read(tree, as: .text(), context.quiet()) == String.read(written, as: .text(), context.quiet()))
      #expect(tree.flow == written.flow)
    }
  }

  @Test func `a number that is out of range or not whole is refused like a written one`() {
    let kinds: [(kind: ValueKind, isWhole: Bool)] = [
      (.number(.seconds, 0...60), false), (.number(.gain, -160...60), false),
      (.number(.none, 0...60, whole: true), true),
    ]
    for (kind, isWhole) in kinds {
      for number in [61.0, -160.5, 0.25, 1e300] {
        let faults = [SettingValue.number(number), .written(shortest(number))].map { value in
          let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
          let tree = Override(target: "a.b", value: value).tree(context)
          _ = tree.flatMap { Double.read($0, as: kind, context) }
          return context.diagnostics.map { "\($0.code) \($0.message)" }
        }
        let isAllowed = number == 0.25 && !isWhole
        #expect(faults[0] == faults[1])
        #expect(faults[0].isEmpty == isAllowed, "\(number) in \(kind.words): \(faults[0])")
      }
    }
  }

  @Test func `a float is the number of its shortest decimal form`() {
    var random = RandomStream(seed: 11)
    var floats: [Float] = [
      0, -0.0, 0.1, 0.7, 1 / 3, 16_777_216, 1e-6, 999_999.94, .pi, 1.1754944e-38, .greatestFiniteMagnitude,
    ]
    for exponent in -24...24 {
      let power = Float(sign: .plus, exponent: exponent, significand: 1)
      floats += [power, power.nextUp, power.nextDown]
    }
    for _ in 0..<20_000 {
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      floats += float.isFinite ? [float] : []
      floats.append(Float(random.next() % 2_000_000) / 1_000_000 - 1)
    }
    for float in floats { #expect(float.asWritten == Double("\(float)"), "\(float)") }
  }

  @Test(arguments: ["plain", "a \"b\" \\c", "two\nlines\tand a tab", "true", "bell \u{7}, ä, \u{1F600}", ""])
  func `the content of a quoted text is the text that was written`(text: String) {
    #expect(SettingValue.written(yamlText(text)).plainText == text)
    #expect(SettingValue.text(text).plainText == text)
  }

  @Test func `numbers, colors and lists are displayed as in a graph file`() {
    #expect(SettingValue.number(-12).plainText == "-12")
    #expect(SettingValue.color(Color(red: 1, green: 0, blue: 0, alpha: 1)).plainText == "#FF0000")
    #expect(SettingValue.list([.number(1), .text("x")]).plainText == "[1, \"x\"]")
  }
}
