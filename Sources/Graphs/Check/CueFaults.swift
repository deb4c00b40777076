/// Diagnostics about cues and alarms.
extension Diagnostic {
  static func wrongCueNumber(_ text: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-cue-number", "\(quote(text)) is no number of a cue", at: mark,
      notes: ["take 1, 2 or 2.5: 0 to 99999, with up to three places behind the point"])
  }

  static func cueTwice(_ number: CueNumber, at mark: SourceRange, firstLine: Int) -> Diagnostic {
    Diagnostic(
      "cue-twice", "there is a cue \(number) already, in line \(firstLine)", at: mark,
      notes: ["there is room between any two: 2.5 comes between 2 and 3"])
  }

  static func unknownCue(_ number: CueNumber, known: [CueNumber], at mark: SourceRange?) -> Diagnostic {
    let list = known.prefix(50).map(\.description).joined(separator: ", ")
    return Diagnostic(
      "unknown-cue", "there is no cue \(number)", at: mark,
      notes: [known.isEmpty ? "the graph has no cues" : "known are \(list)"])
  }

  static func cueFollowsTwice(_ number: CueNumber, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "cue-follows-twice", "the cue \(number) has follow and continue", at: mark,
      notes: ["follow counts from its end, continue from its beginning: take one of them"])
  }

  static func cueCircle(_ numbers: [CueNumber], seconds: Double, at mark: SourceRange?) -> Diagnostic {
    let way = (numbers + numbers.prefix(1)).prefix(20).map(\.description).joined(separator: " → ")
    return Diagnostic(
      "cue-circle", "cues follow each other in a circle that takes \(shortest(seconds)) s: \(way)", at: mark,
      notes: [
        "let it take \(shortest(CueCheck.shortestLoop)) s or more: give one of them a longer follow or continue"
      ])
  }

  static func cueInCue(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "cue-in-cue", "a cue cannot go to another by a message", at: mark,
      notes: ["let it follow on: continue: 0, and link: NUMBER where that is not the next"])
  }

  static func tooManyCues(_ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-cues", "\(count) cues are too many for a graph of this size; \(Limits.cues) is the most",
      at: mark, notes: ["split the show into several graphs"])
  }

  static func noCueFile(_ version: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-version", "the file does not say that it is a cue file", at: mark,
      notes: ["write \(version): 1 in the first line, and the cues below cues:"])
  }

  static func wrongCueVersion(_ tree: Tree, _ version: String) -> Diagnostic {
    Diagnostic(
      "wrong-version", "\(version) is \(tree.words); this visgraph reads \(version): 1", at: tree.mark)
  }

  static func alarmWithoutTime(at mark: SourceRange?) -> Diagnostic {
    Diagnostic("alarm-without-time", "the alarm has no at:", at: mark, notes: ["write at: 22:00"])
  }

  static func emptyAlarm(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "empty-alarm", "the alarm does nothing", at: mark,
      notes: ["give it a scene, a cue, or messages below do:"])
  }

  static func alarmWithBoth(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "alarm-with-both", "the alarm has a cue and a scene", at: mark,
      notes: ["a cue goes to its own scene: take one of them, or make two alarms"])
  }
}
