/// What more light than a screen can show becomes.
public enum Tone: String, Sendable, CaseIterable {
  /// Bright colours keep their tone and only then turn white.
  case soft
  /// Each colour ends at its own brightest: what Core Animation does.
  case clip
}
