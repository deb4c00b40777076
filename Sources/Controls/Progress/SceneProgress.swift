import System

/// Which scene a show is in, and how far it has come there. [any]
public final class SceneProgress: Sendable {
  /// How it stands.
  public struct Fact: Equatable, Sendable {
    /// The scene, from the moment on at which it is asked for.
    public var name: String
    /// How much of the way is done, 0…1.
    public var part: Double
    /// How many seconds are left.
    public var left: Double
  }

  private struct Way {
    var name: String
    /// When it began, on the clock of frames, and how long it takes.
    var begin: Double
    var seconds: Double
  }

  private let fades: Fades
  private let way = Locked<Way?>(nil)

  /// In no scene; the time is that of fades.
  init(_ fades: Fades) { self.fades = fades }

  /// The show goes to a scene, or is in none any more. [control]
  public func begin(_ name: String?, seconds: Double = 0) {
    let clock = fades.clock
    way.withLock { $0 = name.map { Way(name: $0, begin: clock, seconds: seconds) } }
  }

  /// How it stands; nil where the show is in no scene.
  public var now: Fact? {
    let clock = fades.clock
    return way.withLock { way in
      way.map { way in
        let left = max(0, way.begin + way.seconds - clock)
        // A hair before its end too, as fades are.
        let isThere = left <= 1e-6
        return Fact(
          name: way.name, part: isThere ? 1 : 1 - left / way.seconds, left: isThere ? 0 : left)
      }
    }
  }
}
