import Foundation
import TestSupport
import Testing

@testable import visgraph

/// The address of a page as a QR code on the screen.
@Suite(.blocking) struct ScreenAddressTests {
  private let page = ShowStatus.Page(
    name: "desk", address: "http://192.168.1.20:7780/desk?key=a-word-of-ours")

  /// What a camera sees of lines on paper, as a picture that zbar reads: a gray map, each module of 4 × 4 points.
  private func photograph(_ lines: [Line]) -> Data {
    let rows = lines.flatMap { line -> [[Bool]] in
      let text = line.pieces.filter { $0.ground == .paper }.map(\.text).joined()
      guard !text.isEmpty else { return [] }
      return [text.map { "█▀".contains($0) }, text.map { "█▄".contains($0) }]
    }
    var picture = Data("P5 \(4 * (rows.first?.count ?? 0)) \(4 * rows.count) 255\n".utf8)
    for row in rows {
      let points = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: 4) }
      for _ in 0..<4 { picture += points }
    }
    return picture
  }

  @Test func `a camera reads the address of a page from the screen`() throws {
    let lines = ScreenText(columns: 100, rows: 40).address(page, Stages.small)
    #expect(lines.count == 40)
    let folder = try TemporaryFolder()
    try photograph(lines).write(to: URL(fileURLWithPath: folder.file("screen.pgm")))
    let camera = try Child(["zbarimg", "--quiet", "--raw", folder.file("screen.pgm")])
    #expect(camera.exitCode() == 0 && camera.results == page.address + "\n", "\(camera.notes)")
  }

  @Test(arguments: [(100, 20), (30, 60), (100, 5)])
  func `without room for the code only the address is shown`(columns: Int, rows: Int) {
    let lines = ScreenText(columns: columns, rows: rows).address(page, Stages.small)
    #expect(lines.count == rows && lines.allSatisfy { $0.width <= columns })
    #expect(!lines.contains { $0.pieces.contains { $0.ground == .paper } })
    #expect(plain(lines).contains(page.address.prefix(columns)))
  }

  @Test func `a page that only this machine reaches has no code for phones`() {
    var page = self.page
    page.isReachable = false
    let lines = ScreenText(columns: 100, rows: 60).address(page, Stages.small)
    #expect(!lines.contains { $0.pieces.contains { $0.ground == .paper } })
    #expect(plain(lines).contains("desk: only this machine reaches it; see `listen` of `view`"))
    #expect(plain(lines).contains(page.address) && !plain(lines).contains("phone"))
  }

  @Test func `a terminal without colors or characters shows the address only`() {
    for style in [TerminalStyle(colors: .none), TerminalStyle(colors: .sixteen, glyphs: .ascii)] {
      let lines = ScreenText(columns: 100, rows: 60, style: style).address(page, Stages.small)
      #expect(plain(lines).contains(page.address) && !plain(lines).contains("█"))
    }
  }
}
