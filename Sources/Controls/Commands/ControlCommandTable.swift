import Graphs
import OSC
import Playback

/// Every command of the control port, in the order in which addresses are looked up and docs are written.
enum ControlCommandTable {
  static let all: [ControlCommand] = transport + sounds + [tap] + settings + scenes + cues + show

  private static let transport: [ControlCommand] =
    TransportVerb.all.map { verb in
      ControlCommand("/visgraph/transport/\(verb.name)", verb.arguments, verb.help) {
        call throws(ControlError) in
        let command = try verb.read(call.arguments, call.file)
        return command.map { [.command(.transport(node: nil, call.kept($0)))] } ?? []
      }
    }
    + TransportVerb.all.map { verb in
      ControlCommand("/visgraph/node/ID/transport/\(verb.name)", verb.arguments, verb.help) {
        call throws(ControlError) in
        let ids = try call.playerIDs()
        guard let command = try verb.read(call.arguments, call.file) else { return [] }
        return ids.map { .command(.transport(node: $0, call.kept(command))) }
      }
    }

  private static let sounds: [ControlCommand] = [
    sound("play", "NAME", "Plays a sound of a sound bank.") { .play($0) },
    sound("alert", "NAME", "Plays a sound, and gives an event at the port `alert`.") { .alert($0) },
    ControlCommand(
      "/visgraph/node/ID/stop", "[NAME]", "Ends a sound of a sound bank, or all of them.",
      isMeant: { !$0.bankIDs.isEmpty }
    ) { call throws(ControlError) in
      try call.arguments.need(0...1)
      let name = call.arguments.count > 0 ? try call.arguments.text(0, "the sound") : nil
      return call.bankIDs.map { .command(.sound(node: $0, .stop(name))) }
    },
  ]

  private static let tap = ControlCommand(
    "/visgraph/node/ID/tap", "[1]",
    "Taps the tempo of a beat that follows sound: two or more taps give its tempo, the last its beat.",
    isMeant: { !$0.beatIDs.isEmpty }
  ) { call throws(ControlError) in
    guard try call.arguments.isPressed() else { return [] }
    return call.beatIDs.map { .command(.tap(node: $0)) }
  }

  private static func sound(
    _ verb: String, _ arguments: String, _ help: String, _ make: @escaping @Sendable (String) -> SoundCommand
  ) -> ControlCommand {
    ControlCommand(
      "/visgraph/node/ID/\(verb)", arguments, help, isMeant: { !$0.bankIDs.isEmpty }
    ) { call throws(ControlError) in
      try call.arguments.need(1...1)
      let name = try call.arguments.text(0, "the sound")
      return call.bankIDs.map { .command(.sound(node: $0, make(name))) }
    }
  }

  private static let settings: [ControlCommand] = [
    ControlCommand(
      "/visgraph/node/ID/SETTING", "VALUE [SECONDS [linear]]",
      """
      Sets a setting, in its own unit; also /visgraph/node/ID/CHANNEL/SETTING, for one channel by its number or name. \
      Settings inside settings follow behind a slash or a dot. A number may fade: see below. For a setting that takes \
      a list of numbers, two numbers are a list.
      """
    ) { call throws(ControlError) in
      try SettingAddress.all(call).map { setting throws(ControlError) in
        .command(try setting.command(call))
      }
    },
    ControlCommand(
      "/visgraph/fader/ID/SETTING", "0…1 [SECONDS [linear]]",
      """
      Sets a setting by the place of its fader: gains as on a console (0 is silence, 0.75 is 0 dB, 1 is +6 dB), \
      frequencies and times logarithmic, other numbers in a straight line over their range. Flags are on from 0.5, \
      and words have equal parts of the way. See below.
      """
    ) { call throws(ControlError) in
      try call.arguments.need(1...3)
      let place = Float(try call.arguments.number(0, "the fader", in: 0...1))
      let fade = try call.arguments.fade(from: 1)
      return try SettingAddress.all(call).map { setting throws(ControlError) in
        guard setting.kind?.value(atFader: place) != nil else { throw .noRange(setting.path) }
        return .command(.fader(path: setting.path, place, fade: fade))
      }
    },
  ]

  private static let scenes: [ControlCommand] = [
    ControlCommand(
      "/visgraph/scene", "NAME [SECONDS]",
      """
      Goes to a scene of the graph in SECONDS, by default in the time that the scene states, otherwise at once: see \
      below.
      """
    ) { call throws(ControlError) in
      try call.arguments.need(1...2)
      let name = try call.arguments.text(0, "the scene")
      return try call.scene(.named(name), called: name, seconds: 1)
    },
    ControlCommand(
      "/visgraph/scene/next", "[SECONDS]",
      "Goes to the scene after the current one, after the last to the first."
    ) { call throws(ControlError) in
      try call.arguments.need(0...1)
      return try call.scene(.next, called: nil, seconds: 0)
    },
    ControlCommand(
      "/visgraph/scene/previous", "[SECONDS]",
      "Goes to the scene before the current one, before the first to the last."
    ) { call throws(ControlError) in
      try call.arguments.need(0...1)
      return try call.scene(.previous, called: nil, seconds: 0)
    },
  ]

  private static let show: [ControlCommand] = [
    ControlCommand("/visgraph/graph/reload", "[1]", "Reads the graph file again; what was set stays set.") {
      call throws(ControlError) in
      try call.arguments.isPressed() ? [.command(.reload)] : []
    },
    ControlCommand(
      "/visgraph/graph/save", "[1]",
      """
      Writes what was set live into the graph file: it replaces values, and leaves comments, order and spaces as they \
      are. Refused if the file has changed since it was read; a setting that has no place in it is answered with \
      `partly-saved` and the reason.
      """
    ) { call throws(ControlError) in
      try call.arguments.isPressed() ? [.command(.save)] : []
    },
    ControlCommand(
      "/visgraph/graph/load", "PATH [SECONDS]",
      """
      Runs another graph file, in the folder of the first or below; what was set is forgotten. What is the same in \
      both goes on, as at a reload: nodes of one id, type, width and rebuild settings, files of one path. Sound that \
      ends fades out while new sound fades in: in SECONDS with equal power, by default in 10 ms.
      """
    ) { call throws(ControlError) in
      try call.arguments.need(1...2)
      let path = try call.file(try call.arguments.text(0, "the path"))
      let seconds =
        call.arguments.count > 1
        ? try call.arguments.number(1, "the fade", in: 0...FadeTime.longest, unit: " s") : nil
      return [.command(.load(path, seconds: seconds))]
    },
    ControlCommand(
      "/visgraph/master", "0…1 [SECONDS [linear]]",
      """
      Scales all that goes out to lights: see below. It is reached in SECONDS along a straight line, because lamps \
      have curves of their own.
      """, needsGraph: false
    ) { call throws(ControlError) in
      try call.arguments.need(1...3)
      let place = Float(try call.arguments.number(0, "the master", in: 0...1))
      return [.command(.master(place, fade: try call.arguments.fade(from: 1)))]
    },
    ControlCommand(
      "/visgraph/blackout", "1 | 0",
      """
      Makes all lights dark at once, past every limit, and keeps them dark until 0 ends it, also across reloads: see \
      below. Without an argument it is 1.
      """, needsGraph: false
    ) { call throws(ControlError) in
      [.command(.blackout(try call.arguments.isPressed()))]
    },
    ControlCommand(
      "/visgraph/status", "[1]", "Sends the state of the show and of every player to the sender: see below."
    ) { call throws(ControlError) in
      try call.arguments.isPressed() ? [.status] : []
    },
    ControlCommand(
      "/visgraph/subscribe", "[PATTERN] [RATE] [LEASE]",
      """
      Sends the state of the show to the sender: all of it at once, then what changes, RATE times a second \
      (\(shortest(FeedbackTerms.rate)); at most \(shortest(FeedbackTerms.rates.upperBound))) for LEASE seconds \
      (\(shortest(FeedbackTerms.lease)); at most \(shortest(FeedbackTerms.leases.upperBound))) unless it is sent \
      again; see below. RATE 0 ends it. By UDP, another machine has to send challenges back, or it gets nothing.
      """, needsGraph: false
    ) { call throws(ControlError) in
      try call.arguments.need(0...3)
      var next = 0
      var pattern = FeedbackPattern.all
      if call.arguments.count > 0, case .string(let text) = call.arguments.all[0],
        call.arguments.all[0].number == nil
      {
        pattern = try FeedbackPattern(text)
        next = 1
      }
      guard call.arguments.count <= next + 2 else { throw .usage(call.arguments.usage) }
      let rate =
        call.arguments.count > next
        ? try call.arguments.number(next, "the rate", in: FeedbackTerms.rates, unit: " a second")
        : FeedbackTerms.rate
      let lease =
        call.arguments.count > next + 1
        ? try call.arguments.number(next + 1, "the lease", in: FeedbackTerms.leases, unit: " s")
        : FeedbackTerms.lease
      return [rate == 0 ? .unsubscribe(pattern) : .subscribe(pattern, rate: max(0.1, rate), lease: lease)]
    },
    ControlCommand(
      "/visgraph/pair", "follow | take",
      """
      Between a show and its spare, by TCP: sends the state of the show, as /visgraph/pair STATE MOMENT, to the other \
      machine of `--spare` or `--spare-of` and to no other; with `take` the spare holds its packets back.
      """, needsGraph: false
    ) { call throws(ControlError) in
      try call.arguments.need(1...1)
      return [.pair(try call.arguments.word(0, "what is asked for", of: PairRequest.self))]
    },
    ControlCommand(
      "/visgraph/unsubscribe", "[PATTERN]",
      "Ends the sender's subscription with that pattern, or all of them.",
      needsGraph: false
    ) { call throws(ControlError) in
      try call.arguments.need(0...1)
      return [
        .unsubscribe(
          call.arguments.count > 0 ? try FeedbackPattern(try call.arguments.text(0, "the pattern")) : nil)
      ]
    },
    ControlCommand(
      "/visgraph/challenge", "TOKEN",
      """
      Another machine sends this back unchanged whenever it gets one by UDP: this shows that it receives what it has \
      asked for; see below.
      """, needsGraph: false
    ) { call throws(ControlError) in
      try call.arguments.need(1...1)
      return [.proof(try call.arguments.text(0, "the token"))]
    },
    ControlCommand(
      "/visgraph/key", "KEY",
      """
      Where the graph's `control:` has a `key`, other machines are heard only after they have sent it: by UDP for an hour \
      since the last message of their address, by TCP as long as the connection lasts. Answered with /visgraph/key 1.
      """, needsGraph: false
    ) { call throws(ControlError) in
      try call.arguments.need(1...1)
      return [.key(try call.arguments.text(0, "the key"))]
    },
  ]
}

extension ControlCall {
  /// Finds the real path of a file that a message names; throws as `AllowedFolders.resolve` does.
  func file(_ path: String) throws(ControlError) -> String {
    try view.folders.resolve(path, from: view.graph.folder)
  }

  /// Restricts a load to the allowed folders; other commands stay as they are.
  func kept(_ command: PlayerCommand) -> PlayerCommand {
    if case .load(let paths, _, _) = command { .load(paths, within: view.folders.folders) } else { command }
  }

  /// The request for a scene; the argument at `index`, where there is one, gives the seconds.
  func scene(
    _ choice: SceneChoice, called name: String?, seconds index: Int
  ) throws(ControlError) -> [ControlRequest] {
    guard view.graph.scene(choice, from: nil) != nil else {
      throw .scene(name, known: view.graph.scenes.map(\.name))
    }
    let seconds =
      arguments.count > index
      ? try arguments.number(index, "the fade", in: 0...FadeTime.longest, unit: " s") : nil
    return [.command(.scene(choice, seconds: seconds))]
  }

  /// Ids of the matching nodes that have a player; throws `.notAPlayer` if none has.
  func playerIDs() throws(ControlError) -> [String] {
    let nodes = try nodes()
    let playing = nodes.map(\.id).filter(view.players.contains)
    guard !playing.isEmpty else { throw .notAPlayer(isPattern ? String(id) : nodes[0].id) }
    return playing
  }

  /// Ids of the matching sound banks; empty if the id matches other nodes alone.
  var bankIDs: [String] { (try? nodes())?.map(\.id).filter(view.banks.contains) ?? [] }

  /// Ids of the matching beats that can be tapped; empty if the id matches other nodes alone.
  var beatIDs: [String] { (try? nodes())?.map(\.id).filter(view.beats.contains) ?? [] }
}
