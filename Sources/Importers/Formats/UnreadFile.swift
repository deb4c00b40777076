/// Names the kind of a file that no importer reads, by its content. [control]
enum UnreadFile {
  /// The formats that are read, as messages list them.
  static let supported =
    "supported: lamps (.qxf of QLC+, .json of the Open Fixture Library, .gdtf), rigs (.mvr), layouts of LEDs (.xmodel, ledmap.json, .csv), .plist of cocos2d and Particle "
    + "Designer, .pex of Starling, and .ped of UIEffectDesigner"

  /// The error for a file of another kind. `what` is the kind, as it stands after `is`.
  static func refusal(_ file: String, _ what: String) -> ImportError {
    ImportError("unknown-format", "\(file): is \(what); \(supported)")
  }

  private static let sheet =
    "a sprite sheet, which says where pictures lie in a larger one, and no particle file"

  /// The kind of a property list or a JSON object with these keys; nil if it may be a particle file.
  static func kind(keys: [String], in bytes: [UInt8]) -> String? {
    func has(_ all: String...) -> Bool { all.allSatisfy(keys.contains) }
    if has("$archiver", "$objects") {
      let classes = [
        ("SKEmitterNode", "an emitter of SpriteKit (.sks)"),
        ("SCNParticleSystem", "a particle system of SceneKit (.scnp)"),
        ("SKNode", "a scene of SpriteKit (.sks)"),
      ]
      let text = bytes[...]
      let className = classes.first { text.firstRange(of: Array($0.0.utf8)) != nil }?.1
      return (className ?? "an archive of Apple's NSKeyedArchiver")
        + ", which holds objects of Apple's frameworks"
    }
    if has("frames", "meta") || has("frames", "metadata") || has("frames", "texture")
      || has("textures", "meta")
    {
      return sheet
    }
    // Version 5 of PixiJS's particles has behaviors; older versions have values at start and end.
    if has("lifetime", "emitterLifetime") || has("lifetime", "behaviors") || has("lifetime", "spawnType") {
      return "an emitter of PixiJS (pixi-particles)"
    }
    if has("particles"),
      has("interactivity") || has("retina_detect") || has("detectRetina") || has("fpsLimit")
    {
      return "a configuration of tsParticles or particles.js"
    }
    if has("lifespan"), has("speed") || has("quantity") || has("frequency") { return "an emitter of Phaser" }
    if has("nodes", "wires") || has("visgraph") { return "a graph of visgraph" }
    return nil
  }

  /// The kind of an XML file by the name of its root element; nil if it is unknown.
  static func kind(element: String) -> String? {
    switch element {
    case "TextureAtlas", "spritesheet", "sprites", "Imageset": sheet
    case "psystem", "ParticleSystem", "particle_system": "a particle file of another engine"
    case "svg": "a picture in SVG"
    default: nil
    }
  }

  /// The kind of a text or of a binary file; nil if it is unknown.
  static func kind(bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
    let lines = head.split(whereSeparator: \.isNewline).map { String($0.drop(while: \.isWhitespace)) }
    // Whether any line begins with one of the marks, at any indentation.
    func hasLine(_ marks: String...) -> Bool {
      lines.contains { line in marks.contains { line.hasPrefix($0) } }
    }
    if hasLine("- Delay -"), hasLine("- Emission -", "- Duration -") { return "an effect of libGDX (.p)" }
    if hasLine("visgraph-emitter:") { return "an emitter file of visgraph, which needs no import" }
    if hasLine("visgraph-fixture:") { return "a fixture file of visgraph, which needs no import" }
    if hasLine("visgraph:") { return "a graph of visgraph" }
    // After the tests for graphs, which have such keys as well.
    if hasLine("size:"), hasLine("filter:", "format:", "repeat:", "bounds:") { return sheet }
    if hasLine("[gd_scene", "[gd_resource") { return "a file of Godot" }
    if hasLine("%TAG !u! tag:unity3d.com") { return "a file of Unity" }
    if bytes.starts(with: "SKFE".utf8) || bytes.starts(with: "EFKE".utf8) { return "an effect of Effekseer" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      return "a picture"
    }
    return nil
  }
}
