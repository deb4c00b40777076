import Particles
import TestSupport
import Testing

@testable import Importers

/// The text of emitter files.
@Suite struct EmitterFileTextTests {
  @Test func `an emitter file states the losses, then the layer, then its cell`() throws {
    let imported = try ParticleFiles().imported(
      ParticleFiles.plist(["sourcePositionx": "160", "speed": "2e6", "duration": "3"]))
    #expect(
      imported.text(contents: "sparks.png") == """
        # Imported from sparks.plist, a property list of cocos2d and Particle Designer.
        # Not carried over:
        # - sourcePositionx, sourcePositiony: visgraph places emitters by the stage and `position`
        # Changed:
        # - textureImageData: not given, so the built-in soft light stands in
        # - speed: velocity takes -1000000…1000000, so it is 1000000 and not 2000000
        visgraph-emitter: 1
        name: sparks
        shape: rectangle
        size: { width: 14, height: 6 }
        renderMode: additive
        limit: 200
        duration: 3
        cells:
          particle:
            birthRate: 250
            lifetime: 0.8
            emissionLongitude: -90 deg
            emissionRange: 60 deg
            velocity: 1000000
            velocityRange: 40
            xAcceleration: 12
            yAcceleration: 120
            scale: 0.5
            scaleRange: 0.25
            scaleSpeed: -0.46875
            spin: 3.1415927
            spinRange: 0.7853982
            color: [1, 0.5, 0.25, 0.75]
            redRange: 0.1
            greenRange: 0.2
            blueRange: 0.3
            alphaRange: 0.4
            redSpeed: -1
            blueSpeed: 0.5
            alphaSpeed: -0.9375
            contents: sparks.png

        """)
  }

  @Test func `numbers are written in their shortest form`() {
    for (number, text) in [
      (0, "0"), (-0.0, "0"), (80, "80"), (0.1, "0.1"), (-1.5, "-1.5"), (1e30, "1e+30"), (1e300, "1e+300"),
      (0.4000000059604645, "0.4"), (1e6, "1000000"), (1e-7, "1e-07"),
    ] { #expect(Decimal.text(number) == text) }
  }

  @Test func `texts that YAML would take for another type are quoted`() {
    for (text, written) in [
      ("Night sky", "Night sky"), ("", "\"\""), ("none", "\"none\""), ("true", "\"true\""), ("12", "\"12\""),
      ("a: b", "\"a: b\""), ("é", "\"é\""), ("\u{7}", "\"\\U00000007\""), ("a\u{202E}b", "\"a\\U0000202eb\""),
      ("end ", "\"end \""), ("- x", "\"- x\""),
    ] { #expect(EmitterFileText.quoted(text) == written) }
  }
}
