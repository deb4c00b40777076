/// Diagnostics about cues and alarms.
extension Diagnostic {
  static func wrongCueNumber(_ text: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-cue-number", "\(quote(text)) is not a cue number", at: mark,
      notes: ["write a number 0…99999 with at most three decimals, such as 1, 2 or 2.5"])
  }

  static func cueTwice(_ number: CueNumber, at mark: SourceRange, firstLine: Int) -> Diagnostic {
    Diagnostic(
      "cue-twice", "cue \(number) is already defined in line \(firstLine)", at: mark,
      notes: ["give it another number, such as 2.5 between 2 and 3"])
  }

  static func unknownCue(_ number: CueNumber, known: [CueNumber], at mark: SourceRange?) -> Diagnostic {
    let list = known.prefix(50).map(\.description).joined(separator: ", ")
    return Diagnostic(
      "unknown-cue", "there is no cue \(number)", at: mark,
      notes: [known.isEmpty ? "the graph has no cues" : "the graph has: \(list)"])
  }

  static func cueFollowsTwice(_ number: CueNumber, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "cue-follows-twice", "cue \(number) has both follow and continue", at: mark,
      notes: ["keep one of them: follow counts from the end of the cue, continue from its beginning"])
  }

  static func cueCircle(_ numbers: [CueNumber], seconds: Double, at mark: SourceRange?) -> Diagnostic {
    let way = (numbers + numbers.prefix(1)).prefix(20).map(\.description).joined(separator: " → ")
    return Diagnostic(
      "cue-circle", "cues that start by themselves form a loop of \(shortest(seconds)) s: \(way)", at: mark,
      notes: [
        "a loop has to last at least \(shortest(CueCheck.shortestLoop)) s: lengthen follow or continue of one of these cues"
      ])
  }

  static func cueInCue(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "cue-in-cue", "a cue cannot start another cue by a message", at: mark,
      notes: ["write continue: 0, and link: NUMBER unless it is the next cue"])
  }

  static func tooManyCues(_ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-cues", "the graph has \(count) cues; at most \(Limits.cues) are allowed",
      at: mark, notes: ["split the show into several graphs"])
  }

  /// The messages set more than may be checked against the whole graph (`Limits.sceneChecks`).
  static func tooManyCueSettings(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-cues", "messages of cues and alarms set more than can be checked in a graph of this size",
      at: mark, notes: ["put the settings into a scene, and have the cue or alarm go to that scene"])
  }

  static func noCueFile(_ version: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-version", "the file lacks the key \(version) of a cue file", at: mark,
      notes: ["begin it with \(version): 1, and put the cues under cues:"])
  }

  static func wrongCueVersion(_ tree: Tree, _ version: String) -> Diagnostic {
    Diagnostic(
      "wrong-version", "\(version): must be 1, not \(tree.words)", at: tree.mark)
  }

  static func isCueFile(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-graph", "this is a cue file, not a graph", at: mark,
      notes: ["a graph names it in its head: cues: PATH"])
  }

  static func alarmWithoutTime(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "alarm-without-time", "the alarm has no time", at: mark,
      notes: ["add at: with a time, such as at: 22:00"])
  }

  static func emptyAlarm(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "empty-alarm", "the alarm has no action", at: mark,
      notes: ["add scene:, cue: or do:"])
  }

  static func alarmWithBoth(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "alarm-with-both", "the alarm has both a cue and a scene", at: mark,
      notes: ["remove one of the two, because a cue goes to its own scene, or make two alarms"])
  }
}
