import Foundation
import Glibc
import Rendering
import TestSupport
import Testing

/// A stage that would flash ten times a second, where its graph limits flashes.
@Suite(.serialized, .blockingInBrowser) struct StageFlashesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A light as large as the stage, for one frame of six.
  private func graph(_ head: String, color: String = "white", x: String = "50 %", scale: Int = 40) throws
    -> String
  {
    try folder.write(
      """
      visgraph: 1
      \(head)
      stage: { size: 320x180, background: black }
      nodes:
        clicks: { type: tone-source, tone: impulses, frequency: 10, level: 0 dB }
        meter: { type: meter, release: 0 }
        flash:
          type: emitter
          position: { x: \(x) }
          cells: { light: { birthRate: 1000, lifetime: 1 frame, scale: 0, color: \(color) } }
          drive:
            - { key: cells.light.scale, from: [0, 1], to: [0, \(scale)], idle: 0 }
        level: { type: range, from: [-60, 0], to: [0, 1] }
      wires: [clicks -> meter.in, meter.peak -> level -> flash]

      """, to: "graph.yaml")
  }

  /// The mean relative luminance of each frame of two seconds, of a red stage that of red alone.
  private func light(_ graph: String, isRed: Bool = false, columns: Range<Int> = 0..<64) throws -> [Float] {
    let ending = try Visgraph.run(
      "render", graph, "-o", folder.file("%04d.png"), "--for", "2", "--size", "64x36", "--force")
    #expect(ending.code == 0, "\(ending.notes)")
    return try (1...120).map { frame in
      let name = "0000\(frame)".suffix(4)
      let picture = try Picture.read(path: folder.file("\(name).png"))
      var sum: Float = 0
      for pixel in 0..<64 * 36 where columns.contains(pixel % 64) {
        let color = (0..<3).map { linear(picture.pixels[4 * pixel + $0]) }
        sum += isRed ? color[0] : 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
      }
      return sum / Float(columns.count * 36)
    }
  }

  private func linear(_ byte: UInt8) -> Float {
    let value = Float(byte) / 255
    return value <= 0.04045
      ? value / 12.92
      : ((value + 0.055) / 1.055).squareRoot() * ((value + 0.055) / 1.055) * ((value + 0.055) / 1.055)
  }

  @Test(arguments: ["white", "\"#F00\""])
  func `a film flashes three times a second, and ten times without a limit`(_ color: String) throws {
    let isRed = color != "white"
    let free = try light(try graph("fps: 60", color: color), isRed: isRed)
    #expect(FlashCount.most(free, rate: 60) >= 9, "\(free)")
    let held = try light(try graph("flashes: 3", color: color), isRed: isRed)
    #expect(FlashCount.most(held, rate: 60) == 3, "\(held)")
    // The first ones are as they were, and none is brighter.
    #expect(held[..<15] == free[..<15] && zip(held, free).allSatisfy { $0 <= $1 })
  }

  @Test func `a flash in a corner counts in its part of the stage`() throws {
    let corner = 0..<16
    let free = try light(try graph("fps: 60", x: "10 %", scale: 4), columns: corner)
    #expect(FlashCount.most(free, rate: 60) >= 9, "\(free)")
    let held = try light(try graph("flashes: 2", x: "10 %", scale: 4), columns: corner)
    #expect(FlashCount.most(held, rate: 60) <= 2, "\(held)")
  }

  @Test func `a stage of two flashes a second is the same to the byte as without a limit`() throws {
    func film(_ head: String) throws -> [Data] {
      let graph = try graph(head)
      let ending = try Visgraph.run(
        "render", graph, "--set", "clicks.frequency=2", "-o", folder.file("%02d.png"), "--for", "1.5",
        "--size",
        "64x36", "--force")
      #expect(ending.code == 0, "\(ending.notes)")
      return (1...90).map { bytes(of: folder.file(($0 < 10 ? "0" : "") + "\($0).png")) }
    }
    #expect(try film("flashes: 3") == film("fps: 60"))
  }

  @Test(arguments: ["gl", "cpu"])
  func `a page limits the flashes of its picture like a film`(_ draw: String) throws {
    let show = try ViewedShow(graph: try graph("flashes: 3"))
    let seen = """
      (() => {
        const canvas = document.getElementById('picture');
        window.least = Math.min(window.least ?? 1, stagePage.brightness);
        if (stagePage.brightness < 1) window.filter = canvas.style.filter;
        return window.filter && window.least < 0.5 && stagePage.brightness === 1 && canvas.style.filter === '' && stagePage.counts.frames > 60;
      })()
      """
    let look = try PageLook(
      "\(show.address)/?draw=\(draw)", until: seen, ["String(window.least < 0.5)", "window.filter"])
    #expect(look.isReady && look.answers.first == "true", "\(look)")
    #expect(look.answers.last??.hasPrefix("brightness(0.") == true && look.log.isEmpty, "\(look)")
    show.child.signal(SIGTERM)
    #expect(show.child.exitCode() == 0)
  }
}
