import Testing

@testable import Graphs

/// The position of a fader, 0…1, as a value and back.
@Suite struct FaderLawTests {
  private static let gain = ValueKind.number(.gain, -160...60)
  private static let frequency = ValueKind.number(.hertz, 1...384_000)
  private static let time = ValueKind.number(.seconds, 0...60)

  private func value(_ kind: ValueKind, _ place: Float) -> Double? {
    guard case .number(let number) = kind.value(atFader: place) else { return nil }
    return number
  }

  @Test func `a gain has the law of a console's fader: silent at 0, 0 dB at three quarters, 6 dB at the top`()
  {
    let law: [(Float, Double)] = [
      (0, -160), (0.03125, -75), (0.0625, -60), (0.125, -50), (0.25, -30), (0.375, -20), (0.5, -10),
      (0.625, -5),
      (0.75, 0), (0.875, 3), (1, 6),
    ]
    for (place, decibels) in law { #expect(value(Self.gain, place) == decibels, "\(place)") }
    #expect(Self.gain.faderLaw == .console)
    // Near the bottom it is very quiet, but not silent.
    #expect(value(Self.gain, 1e-6)! > -90.001 && value(Self.gain, 1e-6)! < -89)
    // A range that ends earlier ends the fader's travel.
    #expect(value(.number(.gain, -20...3), 0.1) == -20)
    #expect(value(.number(.gain, -20...3), 1) == 3)
  }

  @Test func `frequencies and times are logarithmic, from 1 Hz or 1 ms where the range begins at 0`() {
    #expect(Self.frequency.faderLaw == .logarithmic && Self.time.faderLaw == .logarithmic)
    #expect(value(Self.frequency, 0) == 1 && value(Self.frequency, 1) == 384_000)
    #expect(value(Self.frequency, 0.5) == 620)
    #expect(value(Self.time, 0) == 0 && value(Self.time, 1) == 60)
    #expect(value(Self.time, 0.5) == 0.245)
    #expect(value(Self.time, 1e-6)! >= 0.001)
    #expect(value(.number(.hertz, 0...100), 0.5)! == 10)
  }

  @Test func `other numbers are linear`() {
    #expect(value(.number(.none, 0...1), 0.7) == 0.7)
    #expect(value(.number(.decibels, -160...20), 0.5) == -70)
    #expect(value(.number(.hertz, -100_000...100_000), 0.5) == 0)
    #expect(ValueKind.number(.none, 1...4, whole: true).value(atFader: 0.5) == .number(3))
    #expect(ValueKind.number(.radians, 0...6).faderLaw == .linear)
  }

  @Test func `flags are on from the middle, and words have equal parts of the travel`() {
    #expect(
      [0, 0.49, 0.5, 1].map { ValueKind.flag.value(atFader: $0) }
        == [false, false, true, true].map { .flag($0) })
    let words = ValueKind.choice([.init("a", ""), .init("b", ""), .init("c", "")])
    #expect([0, 0.34, 0.99, 1].map { words.value(atFader: $0) } == ["a", "b", "c", "c"])
    #expect(words.faderPlace(of: "b") == 0.5)
    #expect([ValueKind.flag.faderPlace(of: "on"), ValueKind.flag.faderPlace(of: "false")] == [1, 0])
    #expect(words.faderPlace(of: "d") == nil && ValueKind.flag.faderPlace(of: "x") == nil)
  }

  @Test(arguments: [gain, frequency, time, .number(.none, -3...5), .number(.gain, -160...20)])
  func `every fader rises, and finds its position from its value`(kind: ValueKind) throws {
    var before = -Double.infinity
    for step in 0...1000 {
      let place = Float(step) / 1000
      let value = try #require(self.value(kind, place))
      #expect(value > before, "\(place)")
      before = value
      // Rounded only as far as the next position stays distinct.
      for way in [SettingValue.number(value), .written(shortest(value))] {
        #expect(abs(try #require(kind.faderPlace(of: way)) - place) < 0.0005, "\(place): \(way)")
      }
    }
  }

  @Test func `a fader's value has no more digits than its resolution`() {
    func written(_ kind: ValueKind, _ places: Float...) -> [String?] {
      places.map { kind.value(atFader: $0)?.text }
    }
    #expect(written(Self.gain, 0.333, 0.6666, 0.8015, 0.02) == ["-23.36", "-3.34", "1.24", "-80.4"])
    #expect(written(Self.frequency, 0.473, 0.1234, 0.9) == ["438", "4.89", "106000"])
    #expect(written(Self.time, 0.333, 0.9) == ["0.039", "20"])
    #expect(written(.number(.none, 0...1), 0.333_333_3, 0.7) == ["0.333", "0.7"])
    #expect(written(.number(.none, 0...100_000), 0.333_333_3) == ["33300"])
  }

  @Test func `a word that may replace a number has no fader position`() {
    let window = ValueKind.oneOf([.choice([.init("frame", "")]), .number(.seconds, 0.001...60)])
    #expect(window.faderLaw == .logarithmic)
    #expect([0, 0.5, 1].map { window.value(atFader: $0) } == [.number(0.001), .number(0.245), .number(60)])
    #expect(window.faderPlace(of: "frame") == nil && window.faderPlace(of: "60 s") == 1)
    #expect(ValueKind.oneOf([.text(), .choice([.init("none", "")])]).value(atFader: 0.5) == nil)
  }

  @Test func `a value beyond a fader's range is at its end, and silence at its bottom`() {
    #expect(Self.gain.faderPlace(of: "60 dB") == 1 && Self.gain.faderPlace(of: "7") == 1)
    for text in ["-inf dB", "-inf", "off", "-160 dB", "-400"] {
      #expect(Self.gain.faderPlace(of: .written(text)) == 0)
    }
    #expect(Self.gain.faderPlace(of: "-95 dB") == 0)
    #expect(Self.time.faderPlace(of: "0.0001 s") == 0)
    #expect(Self.gain.faderPlace(of: "loud") == nil && Self.gain.faderPlace(of: "3 Hz") == nil)
  }

  @Test func `a setting without a range has no fader`() {
    for kind in [Double.kind, .file, .text(), .list(Self.gain, count: 1...2), .anything] {
      #expect(kind.value(atFader: 0.5) == nil && kind.faderLaw == nil && kind.faderPlace(of: "1") == nil)
    }
    for place in [-0.1, 1.1, Float.nan, .infinity] { #expect(Self.gain.value(atFader: place) == nil) }
    let either = ValueKind.oneOf([.file, Self.gain])
    #expect(either.value(atFader: 0) == .number(-160) && either.faderLaw == .console)
    #expect(either.faderPlace(of: "0 dB") == 0.75)
  }

  @Test func `only a gain has words for silence`() {
    for text in ["-inf dB", "-inf", "off"] {
      #expect(read(text, Self.gain) == -160, "\(text)")
      #expect(read(text, .number(.decibels, -160...60)) == nil)
    }
    #expect(read("inf dB", Self.gain) == nil)
    #expect(Self.gain.words == "a number -160…60 dB (or -inf dB or off: silence)")
  }

  /// A number as in a graph file; nil if it is refused.
  private func read(_ text: String, _ kind: ValueKind) -> Double? {
    guard let tree = Composer.compose(SourceText(path: "a", text: text)).0 else { return nil }
    return Double.read(tree, as: kind, ReadContext(fps: FrameRate(60), stage: Stage(), folder: "."))
  }
}
