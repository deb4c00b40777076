extension CheckedGraph {
  /// The scene that is meant where one runs, or none; nil where there is none.
  public func scene(_ choice: SceneChoice, from current: String?) -> ShowScene? {
    let place = current.flatMap { current in scenes.firstIndex { $0.name == current } }
    switch choice {
    case .named(let name): return scenes.first { $0.name == name }
    case .next: return scenes.isEmpty ? nil : scenes[place.map { ($0 + 1) % scenes.count } ?? 0]
    case .previous:
      return scenes.isEmpty ? nil : scenes[((place ?? 0) + scenes.count - 1) % scenes.count]
    }
  }
}

extension CheckedGraph {
  /// The cue of a number.
  public func cue(_ number: CueNumber) -> ShowCue? { cues.first { $0.number == number } }

  /// The cue that comes after one, or after where one was; nil: the first. nil where there is none.
  public func cue(after number: CueNumber?) -> ShowCue? {
    guard let number else { return cues.first }
    if let link = cue(number)?.link { return cue(link) }
    return cues.first { $0.number > number }
  }

  /// The cue with the number before; nil where there is none.
  public func cue(before number: CueNumber?) -> ShowCue? {
    number.flatMap { number in cues.last { $0.number < number } }
  }
}
