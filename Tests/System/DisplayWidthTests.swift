import System
import Testing

@Suite struct DisplayWidthTests {
  private func widths(_ text: String) -> [Int] { text.unicodeScalars.map(\.displayWidth) }

  @Test func `symbols that are emoji by default are two columns wide, others of their blocks one`() {
    #expect(widths("⭐✅❌⚡⌚⏩☔🟠🪩🥁") == [2, 2, 2, 2, 2, 2, 2, 2, 2, 2])
    #expect(widths("★✔✖☎☂▶♥🌡🎙🖥") == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    let emoji = (0..<0x110000).compactMap(Unicode.Scalar.init).filter(\.properties.isEmojiPresentation)
    let isLetter = { (scalar: Unicode.Scalar) in (0x1F1E6...0x1F1FF).contains(scalar.value) }
    #expect(emoji.count > 1000 && emoji.allSatisfy { $0.displayWidth == (isLetter($0) ? 1 : 2) })
  }

  @Test func `characters of East Asian scripts are two columns wide, their narrow forms one`() {
    #expect(widths("歌声ガ한、Ａㄱ") == [2, 2, 2, 2, 2, 2, 2])
    #expect(widths("ｶ｡ａｂ🇩🇪") == [1, 1, 2, 2, 1, 1])
    #expect(widths("\u{303E}\u{303F}\u{1F320}\u{1F321}\u{20000}\u{3FFFD}") == [2, 1, 2, 1, 2, 2])
  }

  @Test func `what combines with the character before has no width`() {
    #expect(widths("e\u{301}❤\u{FE0F}👩\u{200D}🎤\u{20DD}") == [1, 0, 1, 0, 2, 0, 2, 0])
    #expect(widths("aéß°") == [1, 1, 1, 1])
  }
}
