/// Diagnostics about scenes.
extension Diagnostic {
  static func wrongSceneName(_ name: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-name",
      "\(quote(name)) cannot name a scene; take 1 to 64 letters, digits, - and _, but for next and previous",
      at: mark)
  }

  static func unknownScene(_ name: String, known: [String], at mark: SourceRange?) -> Diagnostic {
    let list =
      known.isEmpty ? "the graph has no scenes" : "known are \(known.prefix(50).joined(separator: ", "))"
    return Diagnostic(
      "unknown-scene", "there is no scene \(quote(name))", at: mark, notes: didYouMean(name, known) + [list])
  }

  static func nestedSceneSettings(
    _ key: String, _ inner: [String], hasPaths: Bool, at mark: SourceRange
  ) -> Diagnostic {
    let name = plain(inner.first ?? "")
    return hasPaths
      ? Diagnostic(
        "misplaced-setting", "the settings of a scene stand in the scene itself, and not below \(plain(key))",
        at: mark,
        notes: ["remove \(plain(key)): and write \(name): VALUE in the scene"])
      : Diagnostic(
        "misplaced-setting", "a scene takes settings by their paths, and \(plain(key)) holds a map", at: mark,
        notes: ["write \(plain(key)).\(name): VALUE, each in a line of its own or behind a comma"])
  }

  static func sceneLoop(_ names: [String], at mark: SourceRange?) -> Diagnostic {
    let way = (names + names.prefix(1)).prefix(20).joined(separator: " → ")
    return Diagnostic(
      "scene-loop",
      "like: of scenes goes round in a circle, or through more than \(Limits.likeChain): \(way)",
      at: mark, notes: ["one of them must state its settings itself"])
  }

  static func sceneNotLive(_ path: String, _ change: Change, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "scene-not-live",
      change == .restart
        ? "\(plain(path)) takes effect at the next start alone, so no scene can set it"
        : "\(plain(path)) would start its node anew, so no scene can set it",
      at: mark,
      notes: ["a scene sets what changes live; visgraph nodes TYPE says what does"])
  }

  static func noSuchSetting(_ path: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-setting", "\(plain(path)) leads to nothing that the node has", at: mark,
      notes: ["a scene sets what a node has already: write it there first"])
  }

  static func cannotBeOff(_ id: String, _ type: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "cannot-be-off", "\(plain(id)) is of type \(type), which cannot be off", at: mark,
      notes: [
        "turn off what comes before it or behind it: a file-source, tone-source, sound-bank, gain, emitter or osc-output"
      ])
  }

  static func sceneSetsOff(_ id: String, _ path: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "scene-sets-off", "\(plain(id)) is off in this scene, so \(plain(path)) has no effect", at: mark,
      notes: ["leave one of them out; `off: []` turns on all that the scene in `like` has off"])
  }

  static func sceneOverlap(_ path: String, _ inner: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "scene-overlap", "scenes set \(plain(inner)) and \(plain(path)), which it lies in", at: mark,
      notes: ["let all scenes set the one or the other"])
  }

  static func sceneChangesPorts(_ scene: String, _ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "scene-changes-ports", "the scene \(plain(scene)) changes the ports or channels of \(plain(id))",
      at: mark, notes: ["a scene leaves ports, channels and their names as they are"])
  }

  static func tooManySceneSettings(_ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-scene-settings",
      "scenes set \(count) different settings; \(Limits.sceneSettings) is the most", at: mark)
  }

  static func tooManyScenes(_ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-scenes", "\(count) scenes are too many for a graph of this size", at: mark,
      notes: ["split the show into several graphs"])
  }
}
