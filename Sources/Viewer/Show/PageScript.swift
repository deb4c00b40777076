import NIOWebSocket
import Particles
import Rendering

/// The numbers that pages and the program have to agree on, each declared in the program alone, as a script for pages:
/// Sources/CPages/pages/terms.js is generated from it. [any]
public enum PageScript {
  /// The records that are sent, by name: those of a stage, and those of which a stage knows nothing.
  private static var kinds: String {
    let stage = (UInt8.min...UInt8.max).compactMap(StageRecord.init).map { ("\($0)", $0.rawValue) }
    let others = [
      ("samples", SoundHub.record), ("ledPlaces", LedHub.placesRecord), ("ledColors", LedHub.colorsRecord),
      ("faders", StagePieces.faders),
    ]
    return list((stage + others).sorted { $0.1 < $1.1 })
  }

  private static func list(_ entries: [(String, some Numeric)]) -> String {
    "{ " + entries.map { "\($0): \($1)" }.joined(separator: ", ") + " }"
  }

  /// What `tools/generate` writes into terms.js.
  public static var text: String {
    let outcomes = EmitterDecoder.Outcome.allCases.map { ("\($0)", $0.rawValue) }
    return """
      // Written by tools/generate from the declarations of the program (PageScript); do not edit.

      /** The kinds of records. */
      export const Kind = \(kinds);
      /** The version of the records. */
      export const VERSION = \(StageRecord.version);
      /** Bytes before the body of a record. */
      export const HEAD = \(StageRecord.headSize);
      /** What the module says of a record that it was given. */
      export const Outcome = \(list(outcomes));
      /** Bytes of a sprite. */
      export const SPRITE = \(MemoryLayout<Sprite>.stride);
      /** The place of `additive` among the render modes. */
      export const ADDITIVE = \(RenderMode.allCases.firstIndex(of: .additive) ?? 0);
      /** What stands for a LED that shows nothing. */
      export const NOWHERE = \(LedHub.nowhere);

      /** Light is exact up to here and bends above. */
      export const KNEE = \(Canvas.knee);
      /** So far beyond the knee light is half way to white. */
      export const WHITE = \(Canvas.white);
      /** The farthest that a sprite may lie or reach, in pixels. */
      export const FARTHEST = \(Int(Canvas.farthest));
      /** The least radius of the built-in light, in pixels: a smaller one becomes fainter instead. */
      export const LEAST_RADIUS = \(Canvas.leastRadius);
      /** Points across and down of the built-in light. */
      export const SOFT_SIZE = \(Contents.softSize);
      /** The most pixels of a picture across or down. */
      export const MOST_PIXELS = \(Picture.most);

      /** So many answers of the clock are remembered: clocks of two machines drift apart by some microseconds a second. */
      export const REMEMBERED = \(PageTerms.clockAnswers.most);
      /** So many are enough to be asked rarely. */
      export const ENOUGH = \(PageTerms.clockAnswers.enough);
      /** Answers older than so many seconds are forgotten: a hidden page asks seldom. */
      export const OLDEST = \(PageTerms.clockLimits.oldest);
      /** Answers that contradict the newest by more seconds are of a clock that was set, or of a machine that has slept. */
      export const DRIFT = \(PageTerms.clockLimits.drift);
      /** Seconds between two questions: while little is known, and later. */
      export const PAUSES = [\(PageTerms.clockPauses.soon), \(PageTerms.clockPauses.later)];

      /** Frames that may come late and are in time for their picture all the same, however soon their sound is heard. */
      export const LATENESS = \(PageTerms.lateness);
      /** Seconds from the moment when the browser begins a picture until it is seen, on most screens. */
      export const SEEN_AFTER = 1 / \(PageTerms.screenRate);

      /** The program closes a WebSocket with it where a page is not to come back by itself. */
      export const DISMISSED = \(UInt16(webSocketErrorCode: .dismissed));
      /** The program closes a WebSocket with it where the show has ended (RFC 6455, 7.4.1: going away). */
      export const ENDED = \(UInt16(webSocketErrorCode: .goingAway));

      """
  }
}
