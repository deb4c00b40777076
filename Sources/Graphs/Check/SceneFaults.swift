/// Diagnostics about scenes.
extension Diagnostic {
  static func wrongSceneName(_ name: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-name",
      "\(quote(name)) is not a valid scene name; use 1 to 64 letters, digits, - and _, but not next or previous",
      at: mark)
  }

  static func unknownScene(_ name: String, known: [String], at mark: SourceRange?) -> Diagnostic {
    let list =
      known.isEmpty ? "the graph has no scenes" : "the graph has: \(known.prefix(50).joined(separator: ", "))"
    return Diagnostic(
      "unknown-scene", "there is no scene \(quote(name))", at: mark, notes: didYouMean(name, known) + [list])
  }

  static func nestedSceneSettings(
    _ key: String, _ inner: [String], hasPaths: Bool, at mark: SourceRange
  ) -> Diagnostic {
    let name = plain(inner.first ?? "")
    return hasPaths
      ? Diagnostic(
        "misplaced-setting", "the settings of a scene belong directly in the scene, not under \(plain(key))",
        at: mark,
        notes: ["remove \(plain(key)): and write \(name): VALUE in the scene"])
      : Diagnostic(
        "misplaced-setting", "a scene has settings by their paths, but \(plain(key)) is a map", at: mark,
        notes: ["write \(plain(key)).\(name): VALUE for each setting"])
  }

  static func sceneLoop(_ names: [String], at mark: SourceRange?) -> Diagnostic {
    let way = (names + names.prefix(1)).prefix(20).joined(separator: " → ")
    return Diagnostic(
      "scene-loop", "like: of scenes forms a loop: \(way)", at: mark,
      notes: ["remove like: from one of these scenes"])
  }

  /// `names`: the scenes of the chain, each like the next.
  static func sceneChain(_ names: [String], at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "scene-loop",
      "like: of scenes forms a chain of more than \(Limits.likeChain): \(names.prefix(20).joined(separator: " → "))",
      at: mark, notes: ["remove like: from one of these scenes"])
  }

  static func sceneNotLive(_ path: String, _ change: Change, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "scene-not-live",
      change == .restart
        ? "a scene cannot set \(plain(path)), which takes effect only at the next start"
        : "a scene cannot set \(plain(path)), because a change restarts its node",
      at: mark,
      notes: ["a scene can set what changes live: see visgraph nodes TYPE"])
  }

  static func noSuchSetting(_ path: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-setting", "the node has nothing at the path \(plain(path))", at: mark,
      notes: ["a scene sets only what the node has: add it to the node first"])
  }

  static func cannotBeOff(_ id: String, _ type: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "cannot-be-off", "\(plain(id)) is of type \(type), which cannot be off", at: mark,
      notes: [
        "turn off a node before or after it, such as a gain, lights, an emitter or an output; see visgraph nodes TYPE"
      ])
  }

  static func sceneSetsOff(_ id: String, _ path: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "scene-sets-off", "\(plain(id)) is off in this scene, so \(plain(path)) has no effect", at: mark,
      notes: ["remove one of the two; `off: []` turns on all that the scene in `like` has off"])
  }

  static func sceneOverlap(_ path: String, _ inner: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "scene-overlap", "scenes set both \(plain(path)) and \(plain(inner)), which is a part of it", at: mark,
      notes: ["use the same one of the two in all scenes"])
  }

  static func sceneChangesPorts(_ scene: String, _ id: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "scene-changes-ports", "the scene \(plain(scene)) changes the ports or channels of \(plain(id))",
      at: mark, notes: ["a scene cannot change ports, channels or their names"])
  }

  static func tooManySceneSettings(_ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-scene-settings",
      "scenes set \(count) different settings; at most \(Limits.sceneSettings) are allowed", at: mark)
  }

  static func tooManyScenes(_ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-scenes",
      count > Limits.scenes
        ? "the graph has \(count) scenes; at most \(Limits.scenes) are allowed"
        : "\(count) scenes are too many for a graph of this size", at: mark,
      notes: ["split the show into several graphs"])
  }
}
