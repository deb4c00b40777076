import Engine
import Graphs
import OSC
import Particles

/// One particle emitter per channel, driven by levels.
enum Emitter: RunnableNode, DrivenNode {
  /// The name in graph files.
  static let name = "emitter"
  static let off: (setting: String, value: String, help: String)? = (
    "birthRate", "0",
    "no more particles are born, and those that live go on to their end; a drive of `birthRate` overrides this"
  )
  static let help = """
    One particle emitter per channel of what is wired to it, with the properties of CAEmitterLayer and CAEmitterCell \
    by their own names; cells may hold cells. Each entry of `drive` lets a level steer one number of it, found by a \
    path such as cells.spark.cells.glow.scale: t = (level − from₀) / (from₁ − from₀), then t^curve, then \
    to₀ + (to₁ − to₀)·t. While nothing plays the number is `idle`, at once.

    An entry with `by: NAME` listens to an input port of that name instead of `level`; one channel wired there drives \
    all emitters. The output `driven` gives the numbers: the first drive of every channel, then the second of every \
    channel, and so on; its channels are named CHANNEL.PATH, such as 2.cells.spark.scale, whatever words the file \
    uses for the path. An osc-output wired to it, to `live` or to `births` sends them to other programs.

    An emitter can stand in a file of its own, so that it can be shared: `emitter: emitters/sparks.yaml` reads one, \
    and `set` changes single values of it. ${values} of the graph are understood in `set`, not inside the file. A \
    node that is `like` another and names a file takes neither the file of the other nor its `set`.

    Lengths are points of the stage, or % of it; x grows to the right, y grows down, and angles turn clockwise, as on \
    iOS. A direction (emissionLongitude) of 0 points to the right, 90 deg down, 180 deg to the left, -90 deg up; from \
    a line 0 points up (see `directions`). emissionRange opens the direction to a fan, half of it to either side and \
    filled evenly: 360 deg is all around. emissionLatitude lifts the direction out of the stage, so that particles \
    seem slower (see `latitudes`). An emitter without a position stands where `arrange` of the stage puts its \
    channel. Several emitters are drawn in the order of their zPosition, the largest on top, and those with the same \
    one in the order of the file.

    The emitter's own numbers are factors: its birthRate, velocity, scale and spin multiply those of every cell, and \
    its lifetime multiplies how long particles live (see `lifetimes`). Every particle of a cell that holds cells \
    emits them at its place and in its direction; its color multiplies theirs, and its size theirs. The emitter's \
    birthRate counts for inner cells too, so twice the rate gives four times as many inner particles. A value with a \
    range is drawn once, at birth, from mean − range to mean + range (see `ranges`).

    Most numbers act at birth, and living particles go on as they are; accelerations and the …Speed settings act on \
    all living particles. To make everything pulse at once, let each particle emit an inner cell that lives `1 \
    frame`, and drive the scale of that cell.

    Apple's layers have been running since time 0, so a birth rate that a level raises from 0 shows particles in \
    mid-flight. Here an emitter begins empty, unless `prewarm` says for how long it has been running. While a graph \
    runs its file may be changed: particles live on when numbers, words or pictures change, and begin anew when cells \
    or drives come or go, or cells change their names.
    """
  /// Emitters can be read from a file.
  static let settingsFile: SettingsFile? = SettingsFile(
    key: "emitter", changes: "set", version: "visgraph-emitter", noun: "an emitter file",
    reserved: ["particles"])
  static let example: String? = """
    sparks:
      type: emitter
      shape: rectangle
      cells:
        spark: { birthRate: 80, lifetime: 1, cells: { glow: { birthRate: 60, lifetime: 1 frame } } }
      drive:
        - { key: cells.spark.cells.glow.scale, to: [0, 5], idle: 0.5 }
        - { key: position.x, by: move, to: [10 %, 90 %] }
    """

  /// The first input port.
  static let firstPort = Drive.firstPort
  /// The output ports.
  static let outputNames = ["driven", "live", "births", "picture"]
  static var takenPorts: [String] { outputNames }

  /// The driving levels.
  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort(firstPort, [.level], "What drives the emitters; each channel has one.")]
      + settings.drive.ports.map { port in
        InputPort(
          port, [.level], width: .asFirst,
          "What drives the entries with `by: \(port)`; one channel drives all.")
      }
  }

  /// The driven numbers, the counts, and the picture.
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort(
        outputNames[0], .type(.number), "The driven numbers, in their own units: channels × drives."),
      OutputPort(
        outputNames[1], .type(.number),
        "Particles alive after the frame before, those of inner cells among them."),
      OutputPort(outputNames[2], .type(.number), "Particles born in the frame before."),
      OutputPort(outputNames[3], .type(.picture), "What its particles look like, on black."),
    ]
  }

  /// The channels of the outputs: `driven` has one per drive and emitter. Faults of drives are reported here.
  /// [control]
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    let channels = shaping.inputs[0].channels
    do {
      if let equal = try settings.particles?.check(channels) {
        shaping.report(equal.code, "particles", equal.message)
      }
    } catch {
      shaping.report(error.code, "particles", "\(error)")
    }
    // Cells are counted once per channel.
    let mostCells = Layer.mostCells
    let cells = settings.cells.count(most: mostCells)
    if cells * channels.count > mostCells {
      shaping.report(
        "too-many-cells", "cells",
        "\(cells < mostCells ? "\(cells)" : "more than \(mostCells)") cells on \(channels.count) "
          + "\(channels.count == 1 ? "channel" : "channels") are too many: at most \(mostCells) in all, those of inner "
          + "cells among them")
    }
    let paths = zip(settings.resolvedDrives(for: shaping), settings.drive.all).map {
      $0?.number.path ?? $1.key.text
    }
    return [
      Channel.numbered(
        paths.count * channels.count,
        names: paths.flatMap { path in
          channels.map { "\($0.number).\(path)" }
        }), channels, channels, [Channel(1)],
    ]
  }

  /// A driven number follows the channel of the first input only where that input drives it.
  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    let channels = shaping.inputs[0].channels.count
    if output == 3 { return Array(0..<channels) }
    guard output == 0 else { return nil }
    guard channels > 0, shaping.settings.all.drive.all.indices.contains(channel / channels) else { return [] }
    return shaping.settings.all.drive.all[channel / channels].by == firstPort ? [channel % channels] : []
  }

  /// The limiter of flashes, where the graph limits them. [control]
  static func sceneEnd(
    _ scene: [any SceneNode], _ graph: CheckedGraph, before: (any SceneNode)?
  ) -> (any SceneNode)? {
    graph.flashes.map { most in
      StageFlashes(
        scene.compactMap { $0 as? EmitterScene }, graph, flashes: most, before: before as? StageFlashes)
    }
  }

  /// Makes the frame half and the particles. [control]
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.inputs[0].channels.indices
    let layers = channels.map {
      context.settings[$0].model(channel: $0, of: channels.count, on: context.stage)
    }
    let scene = context.keep {
      EmitterScene(layers, id: context.id, names: context.inputs[0].channels.map(\.name))
    }
    return NodeParts(frame: try EmitterFrame(context, layers: layers, scene: scene), scene: scene)
  }
}
