import System

/// The scene of a show, and how far its fades have come. [any]
public final class SceneProgress: Sendable {
  /// The scene and its progress.
  public struct Fact: Equatable, Sendable {
    /// The scene, from the moment of the command on.
    public var name: String
    /// The part of the time that has passed, 0…1.
    public var part: Double
    /// The seconds that are left.
    public var left: Double
  }

  private struct Way {
    var name: String
    /// When it began, on the clock of frames, and how long it takes, in seconds.
    var begin: Double
    var seconds: Double
  }

  private let fades: SettingFades
  private let way = Locked<Way?>(nil)

  /// In no scene; `fades` have the clock.
  init(_ fades: SettingFades) { self.fades = fades }

  /// Notes that the show goes to a scene, in `seconds`, or is in none any more. [control]
  public func begin(_ name: String?, seconds: Double = 0) {
    let clock = fades.clock
    way.withLock { $0 = name.map { Way(name: $0, begin: clock, seconds: seconds) } }
  }

  /// The scene and its progress; nil: in no scene.
  public var now: Fact? {
    let clock = fades.clock
    return way.withLock { way in
      way.map { way in
        let left = max(0, way.begin + way.seconds - clock)
        // 1 µs early counts as arrived, as with fades.
        let isThere = left <= 1e-6
        return Fact(
          name: way.name, part: isThere ? 1 : 1 - left / way.seconds, left: isThere ? 0 : left)
      }
    }
  }
}
