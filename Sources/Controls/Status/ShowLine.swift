import Graphs
import OSC

/// A line of `visgraph status`: what a fact is called there, and how it stands. [any]
package struct ShowLine: Sendable {
  /// Where the lines of a fact stand among those of the others.
  enum Section: CaseIterable {
    case health, faults, graph, host, master, scene, cues, targets, limits, fades, life, players, refused
  }

  /// One word; empty where the line goes on with what stands above.
  package let label: String
  /// How it stands.
  package let text: String

  init(_ label: String, _ text: String) { (self.label, self.text) = (label, text) }
}

/// What the terminal screen shows of a fact among the figures of its first row. [any]
package struct ShowFigure: Equatable, Sendable {
  /// What figures are made from: what holds the lights down, and where the show is on its ways.
  package struct Moment: Equatable, Sendable {
    /// Whether every level 0…1 that goes out is held at 0.
    package var isBlackout = false
    /// What scales them, 0…1.
    package var master: Float = 1
    /// The scene, and how far the show has come there; nil: none.
    package var scene: SceneProgress.Fact?
    /// Where the show is in its cues; nil: it has none.
    package var cue: CueProgress.Fact?

    /// The lights are up, and there are neither scenes nor cues.
    package init() {}
  }

  /// How much it must be noticed: what matters most is shown first.
  package enum Weight: Sendable { case plain, warning, fault }

  /// What stands first.
  package var label: String
  /// A name behind it that may be long, and is cut where the screen is narrow.
  package var name: String?
  /// What stands behind it, with the space before it.
  package var rest = ""
  /// How much it must be noticed.
  package var weight = Weight.plain
  /// Whether it has a row of its own where the screen is high enough.
  package var hasRow = false
}

extension Argument {
  /// As people read it.
  package var shown: String {
    switch self {
    case .int(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .float(let value): shortest(value.asWritten)
    case .double(let value): shortest((value * 1000).rounded() / 1000)
    case .string(let text): text
    default: "-"
    }
  }
}

extension Argument? {
  /// Seconds as clocks show them; `?` where they are not known.
  var clock: String { if case .double(let seconds)? = self { clockTime(seconds) } else { "?" } }
}

/// `M:SS`, or `H:MM:SS` from an hour on.
package func clockTime(_ seconds: Double) -> String {
  let whole = Int(max(0, min(1e9, seconds.isNaN ? 0 : seconds)))
  let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
  func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
  return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
