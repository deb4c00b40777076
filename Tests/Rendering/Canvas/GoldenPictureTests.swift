import Particles
import TestSupport
import Testing

@testable import Rendering

/// Small pictures, compared with those in Tests/Golden/pictures; the tolerance admits a change in the last digits.
///
/// `tools/generate --goldens` writes those that differ by more anew; look at them before they are committed.
@Suite struct GoldenPictureTests {
  private func check(_ picture: Picture, _ name: String) throws {
    let path = "\(Golden.folder)/Golden/pictures/\(name).png"
    if Golden.isRecording, (try? isLike(Picture.read(path: path), picture)) != true {
      try picture.write(path: path, replacing: true)
    }
    #expect(isLike(try Picture.read(path: path), picture), "\(name)")
  }

  private func isLike(_ expected: Picture, _ picture: Picture) -> Bool {
    guard expected.width == picture.width && expected.height == picture.height else { return false }
    let differences = zip(expected.pixels, picture.pixels).map { abs(Int($0) - Int($1)) }
    return differences.max()! <= 3 && differences.reduce(0, +) <= differences.count / 20
  }

  /// Stripes, a transparent corner and an opaque border, so that each mistake is visible.
  private static let texture = Drawing.picture(24, 16) { (x: Int, y: Int) -> [UInt8] in
    if x == 0 || y == 0 || x == 23 || y == 15 { return [255, 255, 255, 255] }
    if x < 8 && y < 8 { return [0, 0, 0, 0] }
    let green: UInt8 = x % 4 < 2 ? 200 : 40
    return [UInt8(x * 10), green, UInt8(y * 15), UInt8(80 + y * 10)]
  }

  private static let sprites: [Sprite] = (0..<12).map { (i: Int) -> Sprite in
    let (step, column, row) = (Float(i), Float(i % 4), Float(i / 4))
    var sprite = Sprite(x: 18 + column * 30, y: 20 + row * 28, scale: 0.5 + step * 0.13, angle: step * 0.5)
    sprite.green = 1 - step * 0.05
    sprite.blue = 0.5 + Float(i % 3) * 0.25
    sprite.alpha = 0.5 + Float(i % 2) * 0.5
    return sprite
  }

  @Test(arguments: RenderMode.allCases) func `each render mode draws the golden picture`(_ mode: RenderMode)
    throws
  {
    let file = try TextureFile(Self.texture)
    let canvas = Drawing.canvas(128, 96, textures: file.textures, toneMapping: .soft, threads: 2, tile: 64)
    let background = Color(red: 0.1, green: 0.1, blue: 0.25)
    try check(
      Drawing.picture(canvas, Self.sprites, file.material(), mode, background: background),
      "mode-\(mode.rawValue)")
  }

  @Test(arguments: ContentsFilter.allCases)
  func `each filter, and a part of a picture, draws the golden picture`(
    _ filter: ContentsFilter
  )
    throws
  {
    let file = try TextureFile(Self.texture)
    let material = file.material {
      ($0.minification, $0.magnification) = (filter, filter)
      $0.rect = UnitRect(x: 0.125, y: 0.25, width: 0.75, height: 0.75)
    }
    let canvas = Drawing.canvas(128, 96, textures: file.textures)
    try check(Drawing.picture(canvas, Self.sprites, material), "filter-\(filter.rawValue)")
  }

  @Test(arguments: ToneMapping.allCases)
  func `the built-in light in each tone mapping, over the border, is the golden picture`(
    _ toneMapping: ToneMapping
  ) throws {
    let canvas = Drawing.canvas(128, 96, toneMapping: toneMapping)
    let lights = (0..<24).map { (i: Int) -> Sprite in
      let (x, y) = (Float(i * 37 % 140) - 6, Float(i * 53 % 108) - 6)
      let blue = Float(i % 5) * 0.1
      return Sprite(x: x, y: y, scale: 0.2 + Float(i % 7) * 0.4, green: 0.53, blue: blue, alpha: 0.5)
    }
    try check(Drawing.picture(canvas, lights, SpriteMaterial(), .additive), "light-\(toneMapping.rawValue)")
  }

  @Test func `a transparent background is the golden picture`() throws {
    let file = try TextureFile(Self.texture)
    let canvas = Drawing.canvas(128, 96, textures: file.textures)
    try check(Drawing.picture(canvas, Self.sprites, file.material(), background: Drawing.clear), "clear")
  }
}
