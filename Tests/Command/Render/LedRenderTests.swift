import Foundation
import Rendering
import TestSupport
import Testing

/// `visgraph render --pixels`: LEDs as pictures, and as the film has them.
@Suite(.blocking) struct LedRenderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A Python program that reads two PNGs with zlib alone and prints the largest difference between the middles of LEDs
  /// and the mean of the film's pixels, and the brightest of the LEDs. Arguments: the film, its LEDs, columns, rows.
  private static let reference = """
    import struct, sys, zlib
    def pixels(path):
        data = open(path, "rb").read()
        place, packed = 8, b""
        while place < len(data):
            size, kind = struct.unpack(">I4s", data[place:place + 8])
            body = data[place + 8:place + 8 + size]
            if kind == b"IHDR": width, height, depth, color = struct.unpack(">IIBB", body[:10])
            if kind == b"IDAT": packed += body
            place += 12 + size
        assert depth == 8 and color in (2, 6)
        step = 3 if color == 2 else 4
        raw, rows, before = zlib.decompress(packed), [], bytes(step * width)
        for y in range(height):
            line = raw[y * (1 + step * width):(y + 1) * (1 + step * width)]
            row = bytearray(line[1:])
            for i in range(len(row)):
                a = row[i - step] if i >= step else 0
                b, c = before[i], before[i - step] if i >= step else 0
                p = a + b - c
                paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                row[i] = (row[i] + [0, a, b, (a + b) // 2, paeth][line[0]]) % 256
            before = bytes(row)
            rows.append([tuple(row[step * x:step * x + 3]) for x in range(width)])
        return rows
    film, leds = pixels(sys.argv[1]), pixels(sys.argv[2])
    columns, rows = int(sys.argv[3]), int(sys.argv[4])
    across, down = len(film[0]) // columns, len(film) // rows
    wide, high = len(leds[0]) // columns, len(leds) // rows
    worst = most = 0
    for row in range(rows):
        for column in range(columns):
            shown = leds[row * high + high // 2][column * wide + wide // 2]
            for part in range(3):
                mean = sum(film[row * down + y][column * across + x][part] for y in range(down) for x in range(across)) / (across * down)
                worst = max(worst, abs(mean - shown[part]))
                most = max(most, shown[part])
    print(f"{worst:.2f} {most}")
    """

  private func graph(_ pixels: String) throws -> String {
    try folder.write(
      """
      visgraph: 1
      stage: { size: 640x360 }
      nodes:
        on: { type: constant, value: 1 }
        sparks:
          type: emitter
          position: [50 %, 50 %]
          renderMode: additive
          cells: { spark: { birthRate: 200, lifetime: 2, velocity: 120, velocityRange: 80, emissionRange: 360 deg, scale: 3, color: orange } }
        leds: { type: pixels, \(pixels) }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [on -> sparks, sparks.picture -> leds -> out]

      """, to: "g.yaml")
  }

  @Test(arguments: ["order: rows", "start: bottom-left, order: serpentine"])
  func `LEDs have the mean of the film's pixels, within 1 of 255`(layout: String) throws {
    let graph = try graph("layout: { grid: 32x18, \(layout) }")
    let (film, leds) = (folder.file("film.png"), folder.file("leds.png"))
    #expect(
      try Visgraph.run("render", graph, "-o", film, "--at", "2", "--for", "3", "--size", "64x36").code == 0)
    let ending = try Visgraph.run("render", graph, "-o", leds, "--at", "2", "--for", "3", "--pixels", "leds")
    #expect(
      ending.code == 0 && ending.results == "wrote \(leds): 640x360, as it is at 2 s\n", "\(ending.notes)")
    let python = try Child(["python3", "-c", Self.reference, film, leds, "32", "18"])
    #expect(python.exitCode() == 0, "\(python.notes)")
    let words = python.results.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    #expect(words.count == 2 && words[0] <= 1 && words[1] > 200, "\(python.results)")
  }

  @Test func `a film of LEDs is made, and what is no node of LEDs is refused`() throws {
    let graph = try graph("layout: { ring: 24 }, rect: [25 %, 10 %, 75 %, 90 %]")
    let film = folder.file("ring.mp4")
    let ending = try Visgraph.run("render", graph, "-o", film, "--for", "0.5", "--pixels", "leds")
    #expect(
      ending.code == 0 && ending.results == "wrote \(film): 30 pictures of 640x360, 0.5 s\n", "\(ending)")
    let refused = try Visgraph.run(
      "render", graph, "-o", folder.file("a.png"), "--for", "1", "--pixels", "sparks")
    #expect(
      refused.code == 64
        && refused.notes.contains("--pixels sparks: the graph has no node pixels called sparks"))
    let levels = try Visgraph.run(
      "render", graph, "-o", folder.file("a.csv"), "--for", "1", "--pixels", "leds")
    #expect(levels.code == 64 && levels.notes.contains("--pixels is for films and pictures"))
  }

  @Test func `--on-stage draws LEDs as they are alone over the darkened stage`() throws {
    let graph = try graph("layout: { grid: 4x2 }, rect: [0 %, 0 %, 50 %, 50 %]")
    func picture(_ name: String, _ options: String...) throws -> Picture {
      let file = folder.file(name)
      let ending = try Visgraph.run(["render", graph, "-o", file, "--at", "2", "--for", "3"] + options)
      #expect(ending.code == 0, "\(ending.notes)")
      return try Picture.read(path: file)
    }
    let film = try picture("film.png")
    let alone = try picture("alone.png", "--pixels", "leds")
    let both = try picture("both.png", "--pixels", "leds", "--on-stage")
    // The middle of a LED has its color; where none is near, the sRGB values of the stage are halved.
    let middle = 4 * ((360 / 8) * 640 + 640 / 16)
    #expect(Array(both.pixels[middle..<middle + 4]) == Array(alone.pixels[middle..<middle + 4]))
    var (brightest, differences) = (0, 0)
    for pixel in (300 * 640)..<(360 * 640) {
      let (below, whole) = (Int(both.pixels[4 * pixel]), Int(film.pixels[4 * pixel]))
      brightest = max(brightest, whole)
      if abs(2 * below - whole) > 2 { differences += 1 }
    }
    #expect(brightest > 100 && differences == 0)
    let refused = try Visgraph.run("render", graph, "-o", folder.file("a.png"), "--for", "1", "--on-stage")
    #expect(refused.code == 64 && refused.notes.contains("--on-stage is for --pixels"))
  }

  @Test func `info states what LEDs draw, and what each output sends`() throws {
    let path = try graph("layout: { grid: 64x32 }, colors: GRBW, limit: 20 A")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing(
        "  out: {",
        with: """
            wall: { type: sacn-output, address: 7/1, to: 127.0.0.1 }
            mesh: { type: artnet-output, address: 1/1, to: 127.0.0.1, sync: on }
            lamp: { type: wled-output, to: 127.0.0.1 }
            out: {
          """
      ).replacing("leds -> out]", with: "leds -> out, leds -> wall, leds -> mesh, leds -> lamp]")
    let graph = try folder.write(text, to: "outputs.yaml")
    let info = try Visgraph.run("info", graph)
    let lines = info.results.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    // 2048 LEDs of 4 bytes, 66 bytes of Ethernet, IP and UDP around each packet. DDP: five packets of 1440 bytes and
    // one of 992, with 10 of its own. sACN: 128 LEDs in each of 16 packets of 638 bytes. Art-Net: of 530, and one of
    // 14. WLED: five packets of 367 LEDs and one of 213, with 4 bytes of its own. DMX takes 44 frames a second at most:
    // every second of 60 is sent.
    let expected = [
      "LEDS COUNT BYTES AMPERE AT MOST", "leds 2048 8192 20 A (84 A without the limit)",
      "OUTPUT LEDS OF UNIVERSES A FRAME A SECOND",
      "out 2048 leds 6 packets 60 frames, 4.15 Mbit/s",
      "wall 2048 leds 7 to 22 16 packets 30 frames, 2.7 Mbit/s",
      "mesh 2048 leds 1 to 16 17 packets 30 frames, 2.31 Mbit/s",
      "lamp 2048 leds 6 packets 60 frames, 4.13 Mbit/s",
    ]
    for line in expected { #expect(lines.contains(line), "\(line): \(info.results) \(info.notes)") }
    let json = try Visgraph.run("info", graph, "--format", "json")
    let whole = try JSONSerialization.jsonObject(with: Data(json.results.utf8)) as? [String: Any]
    let outputs = try #require((whole?["leds"] as? [String: Any])?["outputs"] as? [[String: Any]])
    let wall = try #require(outputs.first { $0["node"] as? String == "wall" })
    #expect(wall["packets"] as? Int == 16 && wall["leds"] as? Int == 2048)
    #expect(wall["universes"] as? [Int] == Array(7...22))
  }
}
