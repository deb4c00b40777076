import Particles
import Testing

@testable import Rendering

@Suite struct CanvasTests {
  @Test func `an opaque picture on whole pixels shows its own pixels`() throws {
    let noise = Drawing.noise(33, 20)
    let file = try TextureFile(noise)
    for mode in RenderMode.allCases {
      for toneMapping in ToneMapping.allCases where mode != .additive || toneMapping == .clip {
        let canvas = Drawing.canvas(64, 48, textures: file.textures, toneMapping: toneMapping)
        let drawn = Drawing.picture(canvas, [Sprite(x: 26.5, y: 20)], file.material(), mode)
        for y in 0..<48 {
          for x in 0..<64 {
            let inside = (10..<43).contains(x) && (10..<30).contains(y)
            let expected = inside ? noise.pixel(x - 10, y - 10) : [0, 0, 0, 255]
            #expect(drawn.pixel(x, y) == expected, "\(mode) \(toneMapping) \(x), \(y)")
          }
        }
      }
    }
  }

  @Test func `a quarter turn clockwise moves the top to the right`() throws {
    let noise = Drawing.noise(16, 16)
    let file = try TextureFile(noise)
    let canvas = Drawing.canvas(16, 16, textures: file.textures)
    let drawn = Drawing.picture(canvas, [Sprite(x: 8, y: 8, angle: .pi / 2)], file.material())
    for y in 0..<16 {
      for x in 0..<16 {
        for k in 0..<4 {
          #expect(abs(Int(drawn.pixel(15 - y, x)[k]) - Int(noise.pixel(x, y)[k])) <= 1)
        }
      }
    }
  }

  @Test func `light is added, and colors are composited in order`() throws {
    let file = try TextureFile(Drawing.flat(8, 8, [255, 255, 255, 255]))
    let canvas = Drawing.canvas(8, 8, textures: file.textures)
    let colors: [Sprite] = [
      Sprite(x: 4, y: 4, red: 0.4, green: 0.2, blue: 0, alpha: 0.5),
      Sprite(x: 4, y: 4, red: 0.4, green: 0, blue: 1, alpha: 0.5),
    ]
    #expect(Drawing.picture(canvas, colors, file.material(), .additive).pixel(4, 4).prefix(1) == [102])
    #expect(Drawing.picture(canvas, colors, file.material(), .additive).pixel(0, 7)[3] == 255)
    let over = Drawing.picture(canvas, colors, file.material()).pixel(3, 3)
    #expect(abs(Int(over[0]) - 77) <= 1 && abs(Int(over[1]) - 13) <= 1 && abs(Int(over[2]) - 128) <= 1)
    let reversed = Drawing.picture(canvas, colors.reversed(), file.material()).pixel(3, 3)
    #expect(abs(Int(reversed[1]) - 26) <= 1 && abs(Int(reversed[2]) - 64) <= 1)
  }

  @Test func `an opaque picture over light hides it`() throws {
    let file = try TextureFile(Drawing.flat(8, 8, [255, 255, 255, 255]))
    let canvas = Drawing.canvas(8, 8, textures: file.textures, toneMapping: .soft)
    canvas.begin(background: Drawing.black)
    let light = [Sprite](repeating: Sprite(x: 4, y: 4), count: 20)
    canvas.draw(light, materials: [file.material()], mode: .additive)
    canvas.draw(
      [Sprite(x: 4, y: 4, red: 0.2, green: 0.4, blue: 1)], materials: [file.material()], mode: .oldestLast)
    #expect(canvas.end { Array($0.prefix(4)) } == [51, 102, 255, 255])
  }

  @Test func `transparent pixels of a picture never color their neighbors`() throws {
    // Transparent magenta around opaque white: no magenta fringe at any size and angle.
    let picture = Drawing.picture(32, 32) { x, y in
      (8..<24).contains(x) && (8..<24).contains(y) ? [255, 255, 255, 255] : [255, 0, 255, 0]
    }
    let file = try TextureFile(picture)
    let canvas = Drawing.canvas(96, 96, textures: file.textures)
    for scale: Float in [0.07, 0.3, 0.6, 1, 2.7] {
      let drawn = Drawing.picture(
        canvas, [Sprite(x: 48.3, y: 47.8, scale: scale, angle: 0.4)], file.material())
      for i in 0..<96 * 96 { #expect(Set(drawn.pixels[4 * i..<4 * i + 3]).count == 1) }
      #expect(Drawing.sum(drawn) > 0)
    }
  }

  @Test func `a transparent background gives colors that are not premultiplied`() throws {
    let file = try TextureFile(Drawing.flat(8, 8, [200, 100, 50, 128]))
    let canvas = Drawing.canvas(16, 8, textures: file.textures, toneMapping: .soft)
    for mode in [RenderMode.unordered, .additive] {
      let drawn = Drawing.picture(
        canvas, [Sprite(x: 4, y: 4)], file.material(), mode, background: Drawing.clear)
      #expect(drawn.pixel(12, 4) == [0, 0, 0, 0])
      for (value, expected) in zip(drawn.pixel(4, 4), [200, 100, 50, 128]) {
        #expect(abs(Int(value) - expected) <= 1, "\(mode)")
      }
    }
  }

  @Test func `a canvas of another aspect ratio shows the whole stage in the middle and nothing beside it`()
    throws
  {
    let file = try TextureFile(Drawing.flat(8, 8, [255, 255, 255, 255]))
    let canvas = Canvas(
      width: 40, height: 20, stage: Size(width: 10, height: 10), textures: file.textures, threads: 1)
    let drawn = Drawing.picture(
      canvas, [Sprite(x: 5, y: 5, scale: 4)], file.material(), background: Color(red: 0.2, green: 0, blue: 0))
    for x in 0..<40 {
      let inside = (10..<30).contains(x)
      #expect(drawn.pixel(x, 10) == (inside ? [255, 255, 255, 255] : [51, 0, 0, 255]))
    }
    // The stage may begin and end at any pixel, also at odd ones, in every render mode.
    for (width, mode) in [(13, RenderMode.additive), (13, .unordered), (15, .additive), (12, .additive)] {
      let narrow = Canvas(
        width: width, height: 7, stage: Size(width: 7, height: 7), textures: file.textures, threads: 1)
      for material in [
        file.material(), file.material { $0.magnification = .nearest },
        file.material { $0.minification = .trilinear },
        SpriteMaterial(),
      ] {
        let drawn = Drawing.picture(narrow, [Sprite(x: 3.5, y: 3.5, scale: 4)], material, mode)
        let lit = (0..<width).filter { drawn.pixel($0, 3) != [0, 0, 0, 255] }
        #expect(lit == Array(narrow.viewport.columns), "\(width) \(mode) \(material)")
      }
    }
    // A point is two pixels here.
    let small = Drawing.picture(canvas, [Sprite(x: 1, y: 1, scale: 0.25)], file.material())
    #expect(small.pixel(10, 0)[0] == 255 && small.pixel(13, 3)[0] == 255 && small.pixel(14, 1)[0] == 0)
  }

  @Test func `a background picture covers the stage without distortion`() throws {
    let noise = Drawing.noise(40, 20)
    let canvas = Drawing.canvas(40, 20)
    #expect(Drawing.picture(canvas, [], backdrop: noise) == noise)
    // Wider than the stage: its middle is shown.
    let square = Drawing.picture(Drawing.canvas(20, 20), [], backdrop: noise)
    for x in 0..<20 { #expect(square.pixel(x, 7) == noise.pixel(x + 10, 7)) }
    let beside = Canvas(
      width: 60, height: 20, stage: Size(width: 20, height: 20), textures: Textures(), threads: 1)
    let narrow = Drawing.picture(beside, [], background: Color(red: 1, green: 0, blue: 0), backdrop: noise)
    #expect(narrow.pixel(19, 5) == [255, 0, 0, 255] && narrow.pixel(40, 5) == [255, 0, 0, 255])
    #expect(narrow.pixel(20, 5) == noise.pixel(10, 5))
  }
}
