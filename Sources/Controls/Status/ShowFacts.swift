import Engine
import Graphs
import OSC
import Playback

extension ShowFact {
  /// Every fact of a show, in the order in which they are answered; those of its players follow.
  package static let all: [ShowFact] = run + health + limits + progress

  private static let run: [ShowFact] = [
    ShowFact("name", .text, "what the graph calls itself") { .plain($0.graph?.name ?? "") },
    ShowFact("version", .text, "the version of the program") { .plain($0.host.version) },
    ShowFact("graph", .text, "the path of the graph file") {
      .plain($0.graph.map { absolutePath($0.path) } ?? "")
    },
    ShowFact("started", .text, "when the show was started, UTC as ISO 8601 writes it") {
      .plain($0.host.started)
    },
    ShowFact("host", .text, "`jack` or `clock`") { .plain($0.host.name) },
    ShowFact("rate", .number, "samples a second") { .int(Int32(clamping: $0.host.rate)) },
    ShowFact("timeline", .number, "where the timeline is, in seconds", isClock: true) {
      .double($0.host.timeline)
    },
    ShowFact("running", .number, "for how long the show has been running, in seconds", isClock: true) {
      .double($0.host.running)
    },
    ShowFact("master", .number, "what scales all that goes out to lights, 0…1") {
      .float($0.show.dimmer.master)
    },
    ShowFact("blackout", .flag, "1 while all that goes out to lights is dark, else 0") {
      .int($0.show.dimmer.isBlackout ? 1 : 0)
    },
  ]

  private static let health: [ShowFact] = [
    ShowFact("healthy", .flag, "1 while the lights go as they should, else 0") {
      .int($0.health.faults.isEmpty ? 1 : 0)
    },
    ShowFact(
      "fault/N", [Value(name: "sentence", kind: .text)],
      "what holds the lights up: no frame for a second, a sound server that has gone, a target that cannot be reached",
      in: .texts("faults")
    ) { look in
      look.health.faults.prefix(100).enumerated().map { number, line in
        Row(parts: ["\(number + 1)"], arguments: [.plain(line)])
      }
    },
    ShowFact(
      "refused",
      [
        Value(name: "address", kind: .text), Value(name: "reason", kind: .text),
        Value(name: "count", kind: .number),
      ],
      "the newest message that was refused to anybody, and how many were", in: .one("refused")
    ) { look in
      look.health.refused.map { refused in
        [
          Row(arguments: [
            .plain(refused.address), .plain(refused.reason), .int(Int32(clamping: refused.count)),
          ])
        ]
      } ?? []
    },
    ShowFact(
      "target/ID/N",
      [
        Value(name: "target", kind: .text), Value(name: "well", kind: .flag),
        Value(name: "state", kind: .text), Value(name: "seconds", kind: .number, isClock: true),
      ],
      "a target of a node: what it is, 1 where it is well and else 0, how it stands in a sentence, and for how long it has "
        + "done so", in: .objects("targets")
    ) { look in
      look.health.targets.prefix(500).map { target in
        Row(
          parts: [target.id, "\(target.number)"],
          arguments: [
            .plain(target.target), .int(target.isWell ? 1 : 0), .plain(target.state), .double(target.seconds),
          ])
      }
    },
  ]

  /// The settings of the outputs that hold levels back.
  private static let limits: [ShowFact] = [
    ShowFact(
      "limit/ID/SETTING", [Value(name: "value", kind: .text)],
      "what an output holds back: a setting of it, as a graph file writes it", in: .objects("limits")
    ) { look in
      (look.graph?.nodes ?? []).filter { $0.type.role == .sender }.prefix(100).flatMap { node in
        node.settingsTexts.filter { setting in
          setting.channel == nil && ["rate", "change"].contains(setting.field) && setting.text != "0"
        }.map { Row(parts: [node.id, $0.field], arguments: [.plain($0.text)]) }
      }
    }
  ]

  /// Where it is on its ways, and what has happened. Subscribers are sent scenes and cues at addresses of their own, and the
  /// values that fades go through.
  private static let progress: [ShowFact] = [
    ShowFact("players", .number, "how many players follow", in: .nowhere, feedback: .elsewhere) {
      .int(Int32(clamping: $0.show.players.count))
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
    },
    ShowFact(
      "cue", [Value(name: "number", kind: .text), Value(name: "label", kind: .text)],
      "the cue that was gone to last; empty before the first", in: .one("cue"), feedback: .elsewhere
    ) { look in look.cue.map { [Row(arguments: name($0.cue))] } ?? [] },
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
    },
    ShowFact("state", .text, "the state of its life", feedback: .atOnce) {
      $0.life.map { .plain($0.state.rawValue) }
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
    },
  ]

  /// Number and label of a cue as text, empty where there is none.
  static func name(_ name: CueProgress.Name?) -> [Argument] {
    [.string(name?.number.description ?? ""), .plain(name?.label ?? "")]
  }
}

extension ShowLook {
  /// The graph that runs.
  var graph: CheckedGraph? { show.plan?.graph }
}
