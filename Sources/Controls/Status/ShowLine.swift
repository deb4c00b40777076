import Graphs
import OSC

/// A line of `visgraph status`. [any]
package struct ShowLine: Sendable {
  /// The order of the lines.
  enum Section: CaseIterable {
    case health, faults, graph, host, master, scene, cues, targets, limits, fades, life, players, refused
  }

  /// The name of the fact; empty: the line continues the one above.
  package let label: String
  /// The state of the fact.
  package let text: String

  init(_ label: String, _ text: String) { (self.label, self.text) = (label, text) }
}

/// A figure of a fact in the first row of the terminal screen. [any]
package struct ShowFigure: Equatable, Sendable {
  /// The state from which figures are made: master, blackout, scene and cue.
  package struct Moment: Equatable, Sendable {
    /// Whether a blackout holds all levels 0…1 that go out at 0.
    package var isBlackout = false
    /// The master, 0…1.
    package var master: Float = 1
    /// The scene, and how far its fades have come; nil: none.
    package var scene: SceneProgress.Fact?
    /// The position in the cues; nil: the graph has none.
    package var cue: CueProgress.Fact?

    /// Master 1, no blackout, no scene and no cues.
    package init() {}
  }

  /// How important a figure is: faults are shown first.
  package enum Weight: Sendable { case plain, warning, fault }

  /// The text at the beginning.
  package var label: String
  /// A name behind the label, which is cut on a narrow screen.
  package var name: String?
  /// The text behind the name, with the space before it.
  package var rest = ""
  /// How important it is.
  package var weight = Weight.plain
  /// Whether it gets a row of its own on a screen that is high enough.
  package var hasRow = false
}

extension Argument {
  /// The value as text for a user.
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
  /// The time as `clockTime` writes it; `?` if it is not known.
  var clock: String { if case .double(let seconds)? = self { clockTime(seconds) } else { "?" } }
}

/// Seconds as `M:SS`, or as `H:MM:SS` from an hour on.
package func clockTime(_ seconds: Double) -> String {
  let whole = Int(max(0, min(1e9, seconds.isNaN ? 0 : seconds)))
  let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
  func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
  return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
