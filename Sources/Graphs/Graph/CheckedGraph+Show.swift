extension CheckedGraph {
  /// The scene of a choice; `current` is the running scene. Nil if there is no such scene.
  public func scene(_ choice: SceneChoice, from current: String?) -> ShowScene? {
    let place = current.flatMap { current in self.scenes.firstIndex { $0.name == current } }
    switch choice {
    case .named(let name): return self.scenes.first { $0.name == name }
    case .next:
      return self.scenes.isEmpty ? nil : self.scenes[place.map { ($0 + 1) % self.scenes.count } ?? 0]
    case .previous:
      return self.scenes.isEmpty
        ? nil : self.scenes[((place ?? 0) + self.scenes.count - 1) % self.scenes.count]
    }
  }
}

extension CheckedGraph {
  /// The cue with a number.
  public func cue(_ number: CueNumber) -> ShowCue? { self.cues.first { $0.number == number } }

  /// The cue after a number, whether or not there is a cue with that number; for nil the first cue. Nil if there is
  /// none.
  public func cue(after number: CueNumber?) -> ShowCue? {
    guard let number else { return self.cues.first }
    if let link = cue(number)?.link { return cue(link) }
    return self.cues.first { $0.number > number }
  }

  /// The cue before a number; nil if there is none.
  public func cue(before number: CueNumber?) -> ShowCue? {
    number.flatMap { number in self.cues.last { $0.number < number } }
  }
}
