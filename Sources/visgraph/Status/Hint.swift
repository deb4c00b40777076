/// A diagnosis for the user: why no sound, light or packet arrives somewhere, and what to do.
struct Hint: Equatable, Sendable {
  enum Subject: Hashable, Sendable {
    case show
    case channel(source: String, number: Int)
    case source(String)
    case output(String)
    case target(id: String, to: String)
    case emitter(String)
  }
  enum Reason: Hashable, Sendable {
    case noServer, serverLost, noSoundServer, notConnected, digitalSilence, belowGate, ended, fileFault
    case notDelivered
    /// No output of sound leads to a loudspeaker; no particle is visible.
    case unheard, unseen
  }

  var subject: Subject
  var reason: Reason
  /// One to three words, for narrow screens.
  var short: String
  var message: String
  /// The message without the level, for a row that shows the level itself.
  var beside: String?
  /// How long the condition has lasted, in s.
  var age: Double
  /// Whether the channel ever had sound.
  var hadSound = false
  /// The channel's name; nil: it has none.
  var channelName: String?

  /// The label with the channel's name.
  var namedLabel: String {
    if case .channel(let source, let number) = subject {
      Self.label(source, number, channelName)
    } else {
      label
    }
  }

  /// The subject as ports are named: `in_2`; empty for the show.
  var label: String {
    switch subject {
    case .show, .emitter: ""
    case .channel(let source, let number): "\(source)_\(number)"
    case .source(let id), .output(let id), .target(let id, _): id
    }
  }
}

extension Hint {
  /// The port of a channel, with the channel's name where it has one: `in_2 (Snare)`.
  static func label(_ source: String, _ number: Int, _ name: String?) -> String {
    "\(source)_\(number)" + (name.map { " (\($0))" } ?? "")
  }

  /// Hints with their labels. Channels of one source with the same reason share a sentence. `named`: labels have the
  /// names of channels.
  static func grouped(_ hints: [Hint], named: Bool = false) -> [(label: String, hint: Hint)] {
    var result: [(label: String, hint: Hint)] = []
    var groups: [Group: (place: Int, labels: [String])] = [:]
    for hint in hints {
      guard case .channel(let source, _) = hint.subject else {
        result.append((named ? hint.namedLabel : hint.label, hint))
        continue
      }
      let group = Group(source: source, reason: hint.reason)
      if var known = groups[group] {
        known.labels.append(named ? hint.namedLabel : hint.label)
        groups[group] = known
        result[known.place].label =
          known.labels.count == 2
          ? known.labels.joined(separator: ", ")
          : "\(known.labels[0]) and \(known.labels.count - 1) more of \(source)"
      } else {
        groups[group] = (result.count, [named ? hint.namedLabel : hint.label])
        result.append((named ? hint.namedLabel : hint.label, hint))
      }
    }
    return result
  }

  private struct Group: Hashable {
    var source: String
    var reason: Reason
  }
}
