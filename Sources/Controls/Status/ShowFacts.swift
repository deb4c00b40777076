import Engine
import Graphs
import OSC
import Playback

extension ShowFact {
  /// All facts of a show, in the order of the answer; the facts of its players follow.
  package static let all: [ShowFact] = run + health + limits + progress

  /// The most faults that are sent.
  static let mostFaults = 100

  private static let run: [ShowFact] = [
    ShowFact("name", .text, "the name of the graph") { .plain($0.graph?.name ?? "") },
    ShowFact("version", .text, "the version of the program") { .plain($0.host.version) },
    ShowFact("graph", .text, "the path of the graph file") {
      .plain($0.graph.map { absolutePath($0.path) } ?? "")
    }.read(in: .graph) { [ShowLine("graph", $0.text("graph", "none yet"))] },
    ShowFact("started", .text, "when the show was started, UTC as ISO 8601 writes it") {
      .plain($0.host.started)
    },
    ShowFact("host", .text, "`jack` or `clock`") { .plain($0.host.name) }.read(in: .host) {
      let timeline = $0["timeline"].clock
      return [
        ShowLine("host", "\($0.text("host", "none")), \($0.text("rate", "0")) Hz, timeline at \(timeline)")
      ]
    },
    ShowFact("rate", .number, "samples a second") { .int(Int32(clamping: $0.host.rate)) },
    ShowFact("timeline", .number, "the position of the timeline, in seconds", isClock: true) {
      .double($0.host.timeline)
    },
    ShowFact("running", .number, "for how long the show has been running, in seconds", isClock: true) {
      .double($0.host.running)
    },
    ShowFact("master", .number, "what scales all that goes out to lights, 0…1") {
      .float($0.show.dimmer.master)
    }.read(in: .master) {
      let isDark = $0["blackout"] == .int(1)
      return [ShowLine("master", $0.text("master", "1") + (isDark ? ", but there is a blackout" : ""))]
    }.shown {
      guard $0.master < 1 else { return nil }
      return ShowFigure(label: "master \(Int(($0.master * 100).rounded())) %", weight: .warning)
    },
    ShowFact("blackout", .flag, "1 while all that goes out to lights is dark, else 0") {
      .int($0.show.dimmer.isBlackout ? 1 : 0)
    }.shown { $0.isBlackout ? ShowFigure(label: "BLACKOUT", weight: .fault) : nil },
  ]

  private static let health: [ShowFact] = [
    ShowFact("healthy", .flag, "1 while there is no fault, else 0") {
      .int($0.health.faults.isEmpty ? 1 : 0)
    }.read(in: .health) {
      let name = $0.text("name", "")
      return [
        ShowLine(
          $0.isHealthy ? "healthy" : "unhealthy",
          "\(name.isEmpty ? "a show without a name" : name) for \($0["running"].clock), "
            + "visgraph \($0.text("version", "?"))")
      ]
    },
    ShowFact(
      "fault/N", [Value(name: "sentence", kind: .text)],
      "what is wrong: no frame for a second, a sound server that has gone, a target that cannot be reached, a file "
        + "that loses data",
      in: .texts("faults")
    ) { look in
      look.health.faults.prefix(ShowFact.mostFaults).enumerated().map { number, line in
        Row(parts: ["\(number + 1)"], arguments: [.plain(line)])
      }
    }.read(in: .faults) { $0.all("fault/N").map { ShowLine("", $0.text(0)) } },
    ShowFact(
      "refused",
      [
        Value(name: "address", kind: .text), Value(name: "reason", kind: .text),
        Value(name: "count", kind: .number),
      ],
      "the newest message that was refused, and how many were", in: .one("refused")
    ) { look in
      look.health.refused.map { refused in
        [
          Row(arguments: [
            .plain(refused.address), .plain(refused.reason), .int(Int32(clamping: refused.count)),
          ])
        ]
      } ?? []
    }.read(in: .refused) {
      $0.all("refused").prefix(1).map {
        ShowLine("refused", "\($0.text(0)): \($0.text(1)), the newest of \($0.text(2))")
      }
    },
    ShowFact(
      "target/ID/N",
      [
        Value(name: "target", kind: .text), Value(name: "well", kind: .flag),
        Value(name: "state", kind: .text), Value(name: "seconds", kind: .number, isClock: true),
      ],
      "a target of a node: what it is, 1 if it is well and 0 if not, its state in a sentence, and for how many "
        + "seconds it has had it", in: .objects("targets")
    ) { look in
      look.health.targets.prefix(500).map { target in
        Row(
          parts: [target.id, "\(target.number)"],
          arguments: [
            .plain(target.target), .int(target.isWell ? 1 : 0), .plain(target.state), .double(target.seconds),
          ])
      }
    }.read(in: .targets) {
      $0.all("target/ID/N").map {
        ShowLine("target", "\($0.id): \($0.text(2)), for \($0.arguments.last.clock)")
      }
    },
  ]

  /// The rate and the least change of outputs, which hold levels back.
  private static let limits: [ShowFact] = [
    ShowFact(
      "limit/ID/SETTING", [Value(name: "value", kind: .text)],
      "a setting that limits an output, as a graph file writes it", in: .objects("limits")
    ) { look in
      (look.graph?.nodes ?? []).filter { $0.type.role == .sender }.prefix(100).flatMap { node in
        node.settingsTexts.filter { setting in
          setting.channel == nil && ["rate", "change"].contains(setting.field) && setting.text != "0"
        }.map { Row(parts: [node.id, $0.field], arguments: [.plain($0.text)]) }
      }
    }.read(in: .limits) {
      $0.all("limit/ID/SETTING").map { ShowLine("limit", "\($0.id): \($0.parts[1].part) \($0.text(0))") }
    }
  ]

  /// Players, scenes, cues, fades and events. Subscribers are sent scenes, cues and the values of fades at other
  /// addresses.
  private static let progress: [ShowFact] = [
    ShowFact("players", .number, "how many players follow", in: .nowhere, feedback: .elsewhere) {
      .int(Int32(clamping: $0.show.players.count))
    }.read(in: .players) {
      $0.players.map { ShowLine("player", "\($0.id): \(PlayerFact.sentence($0.facts))") }
    },
    ShowFact(
      "scene",
      [
        Value(name: "name", kind: .text), Value(name: "part", kind: .number, isClock: true),
        Value(name: "left", kind: .number, isClock: true),
      ],
      "the scene, how much of the way to it is done, 0…1, and how many seconds are left",
      in: .one("scene"),
      feedback: .elsewhere
    ) { look in
      look.scene.map { [Row(arguments: [.string($0.name), .double($0.part), .double($0.left)])] } ?? []
    }.read(in: .scene) {
      $0.all("scene").prefix(1).map { scene in
        let isThere = scene.arguments.last == .double(0)
        return ShowLine("scene", scene.text(0) + (isThere ? "" : ", \(scene.text(2)) s are left"))
      }
    }.shown {
      $0.scene.map {
        ShowFigure(label: "scene", name: $0.name, rest: $0.part < 1 ? " \(Int($0.part * 100)) %" : "")
      }
    },
    ShowFact(
      "cue", [Value(name: "number", kind: .text), Value(name: "label", kind: .text)],
      "the cue that started last; empty before the first", in: .one("cue"), feedback: .elsewhere
    ) { look in look.cue.map { [Row(arguments: name($0.cue))] } ?? [] }
    .read(in: .cues) { cueLines("cue", $0.all("cue")) }
    .shown {
      $0.cue.map { cue in
        let left = cue.left.map { " in \(Int($0.rounded(.up))) s" } ?? ""
        let next = cue.next.map { " -> \($0.number)\(left)" } ?? ""
        return ShowFigure(label: "cue", name: cue.cue?.text ?? "-", rest: next, hasRow: true)
      }
    },
    ShowFact(
      "cue/next",
      [
        Value(name: "number", kind: .text), Value(name: "label", kind: .text),
        Value(name: "left", kind: .number, isClock: true, isOptional: true),
      ],
      "the cue that comes next, and in how many seconds it comes by itself", in: .one("next"),
      feedback: .elsewhere
    ) { look in
      look.cue.map { [Row(arguments: name($0.next) + ($0.left.map { [.double($0)] } ?? []))] } ?? []
    }.read(in: .cues) { cueLines("next", $0.all("cue/next")) },
    ShowFact("state", .text, "the state of its life cycle", feedback: .atOnce) {
      $0.life.map { .plain($0.state.rawValue) }
    }.read(in: .life) { answer in
      let counts = answer.all("event/EVENT").map { "\($0.id) \($0.text(0))" }.joined(separator: ", ")
      return answer.all("state").prefix(1).map {
        ShowLine("state", $0.text(0) + (counts.isEmpty ? "" : "; so far: \(counts)"))
      }
    },
    ShowFact(
      "event/EVENT", [Value(name: "count", kind: .number)],
      "how often it has happened since the start", in: .entries("events"), feedback: .atOnce
    ) { look in
      LifeEvent.allCases.compactMap { event in
        look.life?.counts[event].map {
          Row(parts: [event.rawValue], arguments: [.int(Int32(clamping: $0))])
        }
      }
    },
    ShowFact(
      "fade",
      [
        Value(name: "path", kind: .text), Value(name: "goal", kind: .text),
        Value(name: "left", kind: .number, isClock: true),
      ],
      "a number on its way: the path of the setting or `master`, where it goes, and how many seconds are left",
      in: .objects("fades"), feedback: .elsewhere
    ) { look in
      let master = look.show.dimmer.way.map {
        Row(arguments: [.string("master"), .float($0.goal), .double($0.left)])
      }
      return (master.map { [$0] } ?? [])
        + look.fades.map { Row(arguments: [.string($0.path), .string($0.goal), .double($0.left)]) }
    }.read(in: .fades) {
      $0.all("fade").map { ShowLine("fade", "\($0.text(0)) to \($0.text(1)), \($0.text(2)) s are left") }
    },
  ]

  /// The line of a cue, with the time of its follow-on; none if the cue is empty.
  private static func cueLines(_ label: String, _ items: [ShowAnswer.Item]) -> [ShowLine] {
    items.prefix(1).filter { !$0.text(0).isEmpty }.map { cue in
      let left = cue.arguments.count > 2 ? ", by itself in \(cue.text(2)) s" : ""
      return ShowLine(label, [cue.text(0), cue.text(1)].filter { !$0.isEmpty }.joined(separator: " ") + left)
    }
  }

  /// Number and label of a cue; empty texts if there is none.
  static func name(_ name: CueProgress.Name?) -> [Argument] {
    [.string(name?.number.description ?? ""), .plain(name?.label ?? "")]
  }
}

extension ShowLook {
  /// The running graph.
  var graph: CheckedGraph? { show.plan?.graph }
}
