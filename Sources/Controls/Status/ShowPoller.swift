import Engine
import Graphs
import Nodes
import OSC
import Playback

/// Polls a show and writes its state for the subscribers. [port]
struct ShowPoller {
  /// The shortest intervals in seconds between polls of players, and of what needs more work to find out: the host, the
  /// health of the outputs and all facts about them (`ShowFact.Feedback.soon`).
  private static let intervals = (players: 0.1, slow: 0.5)
  /// The facts of players that are sent. The device's clock moves all the time and is left out.
  private static let playerFacts = PlayerFact.all.filter { $0.name != "deviceCurrentTime" }

  private static let cueLeft = "/visgraph/cue/left"

  private let show: Show
  private let router: CommandRouter
  private let host: @Sendable () -> HostSnapshot
  private let levels: @Sendable () -> (plan: Int?, levels: [Float])
  /// The plan and settings that were last written to the state.
  private var version: CompiledPlan.Version?
  private var settings = SettingFeedback()
  private var nextPlayers = 0.0
  private var nextSlow = 0.0
  /// The addresses of the facts that the last slow poll wrote.
  private var slowFacts: Set<String> = []

  init(
    _ show: Show, _ router: CommandRouter, _ host: @escaping @Sendable () -> HostSnapshot,
    _ levels: @escaping @Sendable () -> (plan: Int?, levels: [Float])
  ) {
    self.show = show
    self.router = router
    self.host = host
    self.levels = levels
  }

  /// Writes the show's state into `state`. `time`: monotonic clock, in seconds. `report` finds out the health of the
  /// outputs; it is called here, at most every 0.5 s.
  mutating func poll(
    _ state: inout FeedbackState, at time: Double, report: (HostSnapshot) -> ShowHealth.Report
  ) {
    if let plan = show.plan {
      let now = plan.version
      if now.plan != version?.plan {
        (nextPlayers, nextSlow) = (0, 0)
        settings = SettingFeedback()
        state.begin(levels: plan.frames.columns) { state in settings.write(plan.graph, to: &state) }
      } else if now != version {
        settings.write(plan.graph, to: &state)
      }
      version = now
    }
    state.set("/visgraph/master", .float(show.dimmer.master))
    state.set("/visgraph/blackout", .int(show.dimmer.isBlackout ? 1 : 0))
    let scene = router.scenes.now
    if scene != nil || state.has("/visgraph/scene") {
      state.set("/visgraph/scene", .string(scene?.name ?? ""))
      state.set("/visgraph/scene/progress", .float(Float(scene?.part ?? 1)))
    }
    cues(&state)
    facts(.atOnce, ShowLook(show: show, life: router.life.now), &state)
    if time >= nextPlayers {
      nextPlayers = time + Self.intervals.players
      players(&state)
    }
    if time >= nextSlow {
      nextSlow = time + Self.intervals.slow
      let host = host()
      let written = facts(.soon, ShowLook(show: show, host: host, health: report(host)), &state)
      // A fact that is no longer known, such as a limit that was taken back, is sent without arguments, and a fault
      // that is over as an empty string: after a new plan as well, as subscribers still have the facts of the plan
      // before.
      for address in slowFacts.subtracting(written) {
        let isFault = address.hasPrefix("\(ShowFact.base)fault/")
        state.set(address, isFault ? [Argument.string("")] : [])
      }
      slowFacts = written
    }
    let newest = levels()
    if let plan = version?.plan, plan == newest.plan { state.set(levels: newest.levels) }
  }

  /// Writes facts, and returns their addresses.
  @discardableResult
  private func facts(
    _ feedback: ShowFact.Feedback, _ look: ShowLook, _ state: inout FeedbackState
  ) -> Set<String> {
    var written: Set<String> = []
    for fact in ShowFact.all where fact.feedback == feedback {
      for message in fact.messages(look, clocks: false) {
        state.set(message.address, message.arguments)
        written.insert(message.address)
      }
    }
    return written
  }

  private func cues(_ state: inout FeedbackState) {
    let cue = router.cues.now
    guard cue != nil || state.has("/visgraph/cue") else { return }
    for (address, name) in [("/visgraph/cue", cue?.cue), ("/visgraph/cue/next", cue?.next)] {
      state.set(address, ShowFact.name(name))
    }
    // Rounded up to 0.1 s, so that a countdown sends at most ten messages a second.
    let left = cue?.left.map { [Argument.float(Float(($0 * 10).rounded(.up) / 10))] } ?? []
    if !left.isEmpty || state.has(Self.cueLeft) { state.set(Self.cueLeft, left) }
  }

  private func players(_ state: inout FeedbackState) {
    for (id, player) in show.players {
      for message in PlayerFact.messages(id, player.snapshot, of: Self.playerFacts) {
        // A fact that was known and no longer is, such as a title, is sent without arguments.
        if !message.arguments.isEmpty || state.has(message.address) {
          state.set(message.address, message.arguments)
        }
      }
    }
  }
}
