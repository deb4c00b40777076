import Controls
import NIOWebSocket
import Particles
import Rendering

/// The numbers that pages and the program have to agree on, each declared in the program alone, as a script for pages:
/// Sources/CPages/pages/terms.js is generated from it. [any]
public enum PageScript {
  /// The records that are sent, by name: those of a stage, and those of which a stage knows nothing.
  private static var kinds: String {
    let stage = (UInt8.min...UInt8.max).compactMap(StageRecord.init).map { ("\($0)", $0.rawValue) }
    let others = PageRecord.allCases.map { ("\($0)", $0.rawValue) }
    return list((stage + others).sorted { $0.1 < $1.1 })
  }

  private static func places<T: CaseIterable>(_ type: T.Type) -> String {
    list(type.allCases.enumerated().map { ("\($1)", $0) })
  }

  /// The fields of a sprite, by the word of 32 bits in which each lies.
  private static var spriteWords: String {
    let fields: [(String, PartialKeyPath<Sprite>)] = [
      ("x", \.x), ("y", \.y), ("z", \.z), ("scale", \.scale), ("angle", \.angle), ("red", \.red),
      ("green", \.green), ("blue", \.blue), ("alpha", \.alpha), ("age", \.age), ("material", \.material),
      ("birth", \.birth),
    ]
    return list(fields.map { ($0, (MemoryLayout<Sprite>.offset(of: $1) ?? 0) / 4) })
  }

  /// The facts of a show that subscribers are sent, by their addresses.
  private static var facts: String {
    let named = ShowFact.all.compactMap { fact in
      fact.address.map { ("\(fact.name.prefix { $0 != "/" })", "'\($0)'") }
    }
    return "{\n" + named.map { "  \($0): \($1),\n" }.joined() + "}"
  }

  private static var playerFacts: String { PlayerFact.all.map { "'\($0.name)'" }.joined(separator: " | ") }

  private static var targetFacts: String {
    TargetFact.all.map { " * @property {\($0.kind.rawValue)} \($0.name) \($0.help)" }.joined(separator: "\n")
  }

  private static var factsText: String {
    """
    /** The facts of a show, by their addresses; there may be several of those that end with a slash. */
    export const Fact = \(facts);
    /**
     * A fact of a player.
     * @typedef {\(playerFacts)} PlayerFact
     */
    /**
     * A target of levels, as the topic `targets` has it.
     * @typedef {object} Target
    \(targetFacts)
     */
    """
  }

  private static func list(_ entries: [(String, some Numeric)]) -> String {
    "{ " + entries.map { "\($0): \($1)" }.joined(separator: ", ") + " }"
  }

  /// The numbers of the canvas, for shaders.
  private static var canvasText: String {
    """
    /** The brightness up to which tone mapping changes nothing. */
    export const KNEE = \(Canvas.knee);
    /** The excess over the knee at which a color is half way to white. */
    export const WHITE = \(Canvas.white);
    /** The farthest that a sprite may lie or reach, in pixels. */
    export const FARTHEST = \(Int(Canvas.farthest));
    /** The least radius of the built-in light, in pixels: a smaller one becomes fainter instead. */
    export const LEAST_RADIUS = \(Canvas.leastRadius);
    /** The largest scale of a sprite. */
    export const LARGEST_SCALE = \(Int(Canvas.largestScale));
    /**
     * A sprite is drawn if its area times its opacity is more than so many pixels; the built-in light, if its opacity
     * is more.
     */
    export const LEAST_AREA = \(Canvas.leastArea);
    /** With linear filtering, a mip level is used up to so many of its texels per canvas pixel. */
    export const LINEAR_STEP = \(Canvas.linearStep);
    /** The thresholds of ordered dithering, of 8 × 8 pixels by rows: parts of the step from one byte to the next. */
    export const DITHER_THRESHOLDS = [\(Canvas.ditherThresholds.map { "\($0)" }.joined(separator: ", "))];
    /** Points across and down of the built-in light. */
    export const SOFT_SIZE = \(Contents.softSize);
    /** Texels per point of the built-in light, where it is drawn by texels. */
    export const SOFT_TEXELS = \(Contents.softTexels);
    /** The profile of the built-in light is s · (wide + narrow · s²), where s is (1 − (distance / radius)²)². */
    export const Light = { wide: \(Canvas.lightProfile.wide), narrow: \(Canvas.lightProfile.narrow) };
    /** The most pixels of a picture across or down. */
    export const MOST_PIXELS = \(Picture.most);
    """
  }

  /// What `tools/generate` writes into terms.js.
  public static var text: String {
    let outcomes = EmitterDecoder.Outcome.allCases.map { ("\($0)", $0.rawValue) }
    return """
      // Written by tools/generate from the declarations of the program (PageScript); do not edit.

      /** The kinds of records, as graphs/VIEW.md names them: `print` has fingerprints, `room` the most particles. */
      export const Kind = \(kinds);
      /** The version of the records. */
      export const VERSION = \(StageRecord.version);
      /** What the module says of a record that it was given. */
      export const Outcome = \(list(outcomes));
      /** Bytes of a sprite. */
      export const SPRITE = \(MemoryLayout<Sprite>.stride);
      /** The words of 32 bits of a sprite: floats, but for the last two. */
      export const SpriteWord = \(spriteWords);
      /** Render modes. */
      export const RenderMode = \(places(RenderMode.self));
      /** The contents of a material: the built-in light, nothing, a picture. */
      export const Contents = \(places(Contents.Kind.self));
      /** How a picture is sampled. */
      export const Filter = \(places(ContentsFilter.self));
      /** What stands for a LED that shows nothing. */
      export const NOWHERE = \(LedPlacesHead.nowhere);

      \(canvasText)

      /** How late frames may come, in frames: pictures are delayed by so much even if their sound is heard sooner. */
      export const LATENESS = \(PageTerms.lateness);
      /** Seconds from the moment when the browser begins a picture until it is seen, on most screens. */
      export const SEEN_AFTER = 1 / \(PageTerms.screenRate);

      \(factsText)

      /** The program closes a WebSocket with it where a page is not to come back by itself. */
      export const DISMISSED = \(UInt16(webSocketErrorCode: .dismissed));
      /** The program closes a WebSocket with it where the show has ended (RFC 6455, 7.4.1: going away). */
      export const ENDED = \(UInt16(webSocketErrorCode: .goingAway));

      """
  }
}
