/// Why nothing arrives somewhere, and what to do about it.
struct Hint: Equatable, Sendable {
  /// What it is about.
  enum Subject: Hashable, Sendable {
    case show
    case channel(source: String, number: Int)
    case source(String)
    case output(String)
    case target(id: String, to: String)
    case emitter(String)
  }
  /// The reasons there are.
  enum Reason: Hashable, Sendable {
    case noServer, serverLost, noSoundServer, notConnected, digitalSilence, belowGate, ended, fileFault
    case notDelivered
    /// Sound leads to no loudspeaker; light to nobody's eye.
    case unheard, unseen
  }

  var subject: Subject
  var reason: Reason
  /// In a word or two, for where there is no room.
  var short: String
  /// The whole sentence, without a full stop.
  var message: String
  /// The same beside a level in dBFS, where that needs no repeating.
  var beside: String?
  /// How long it has been so, in seconds.
  var age: Double
  /// Whether there ever was sound here.
  var hadSound = false
  /// What the channel is called that it is about.
  var channelName: String?

  /// The same with the channel's name, for where that does not stand beside it.
  var namedLabel: String {
    if case .channel(let source, let number) = subject {
      Self.label(source, number, channelName)
    } else {
      label
    }
  }

  /// What the sentence is about, as ports are named: `in_2`; empty for the show.
  var label: String {
    switch subject {
    case .show, .emitter: ""
    case .channel(let source, let number): "\(source)_\(number)"
    case .source(let id), .output(let id), .target(let id, _): id
    }
  }
}

extension Hint {
  /// A channel as lines name it: its port, and its name where it has one, `in_2 (Snare)`.
  static func label(_ source: String, _ number: Int, _ name: String?) -> String {
    "\(source)_\(number)" + (name.map { " (\($0))" } ?? "")
  }

  /// Sentences for people, with what they are about; channels of one source with one reason share a sentence.
  /// `named`: channels are called by their names too.
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
