import Controls
import Engine
import Graphs
import OSC
import Playback
import Synchronization
import System

/// The way to the other machine of a pair: asks it how it stands, answers it, and opens and shuts the gate by that.
///
/// The spare asks as long as it runs. The main one asks at its start alone, and as long as the spare still sends. [any], and
/// what has a tag of its own; `[network]` is its own thread.
final class PairLink: @unchecked Sendable {
  /// Between two questions, and after how long without an answer that says that it sends the other one is silent, in seconds.
  static let (pause, silence) = (0.25, 1.0)
  /// How long the main one follows a spare that sends before it takes over: at least, and at most, in seconds.
  static let (leastFollow, mostFollow) = (1.0, 10.0)
  /// The most bytes of a state that is told, and what stands for the sum of its graph where it is not told.
  static let (mostBytes, untold) = (60_000, "untold")

  /// What the control thread has left for answers.
  private struct Left {
    var state: ShowState?
    var graph: CheckedGraph?
    var sum = ""
    /// The newest frame that was seen, and when it was new, in seconds.
    var frame: Int64 = 0
    var frameTime = -Double.infinity

    mutating func look(_ frames: FrameThread, at now: Double) {
      let new = frames.doneFrame
      if new != frame { (frame, frameTime) = (new, now) }
    }
  }

  private struct Heard {
    var sight: PairSight?
    /// When the other one last said that it sends; of the main one: when the spare last asked.
    var last: Double
    var fault: PairFault?
  }

  let options: PairOptions
  private let show: Show
  private let router: CommandRouter
  private let log: Log
  private let wakeMain: @Sendable () -> Void
  private let wake = WakePipe()
  private let left = Locked(Left())
  private let heard = Locked(Heard(last: MonotonicClock.seconds))
  private let isClosing = Atomic<Bool>(false)
  private let settled = Atomic<Bool>(false)
  /// [network]
  private let client: PairClient
  private var thread: Thread?
  /// Since when it asks again and again, in seconds.
  private var began = 0.0

  /// `wake` has the control thread look.
  init(
    _ options: PairOptions, _ show: Show, _ router: CommandRouter, key: String?, _ log: Log,
    wake: @escaping @Sendable () -> Void
  ) {
    (self.options, self.show, self.router, self.log) = (options, show, router, log)
    client = PairClient(options.other, key: key, silence: Self.silence)
    wakeMain = wake
  }

  // MARK: - [control]

  /// Asks for the first time. Gives how the other one stands, where it sends. Where it does not answer the main one sends
  /// from now on; else it waits for a frame, as the other one may send before that.
  func first() -> PairSight? {
    let answer = client.ask(.follow, within: Self.silence)
    note(answer)
    if case .failure(.silent) = answer, !options.isSpare { show.gate.open() }
    if case .success(let answer) = answer, answer.sight.moment.isSending { return answer.sight }
    return nil
  }

  /// Begins to ask again and again, where that is needed.
  func start() throws {
    guard show.gate.isHeld else { return }
    began = MonotonicClock.seconds
    heard.withLock { $0.last = began }
    thread = try Thread.required("pair") { [self] in run() }
  }

  /// Asks and answers no more.
  func close() {
    isClosing.store(true, ordering: .releasing)
    wake?.ring()
    thread?.join()
    thread = nil
  }

  /// Leaves how the show stands for the other one. `sum` is that of the graph's text.
  func leave(_ state: ShowState?, _ graph: CheckedGraph, sum: String) {
    let now = MonotonicClock.seconds
    left.withLock { left in
      (left.state, left.graph, left.sum) = (state, graph, sum)
      // Nobody may have asked for long.
      left.look(show.frames, at: now)
    }
  }

  /// How the other one stood when it was heard last, once; nil: nothing new, or not to be followed.
  func takeSight() -> PairSight? {
    heard.withLock { heard in
      defer { heard.sight = nil }
      return heard.sight
    }
  }

  /// Says whether the show stands as the other one does.
  func settle(_ isThere: Bool) { settled.store(isThere, ordering: .relaxed) }

  /// What is wrong with the pair, in a sentence; nil: nothing. [any]
  var fault: String? {
    let (last, fault) = heard.withLock { ($0.last, $0.fault) }
    let isLate = MonotonicClock.seconds - last > 2 * Self.silence
    if options.isSpare {
      if !show.gate.isHeld {
        let reason = fault.map { " (\($0))" } ?? ""
        return "the main machine \(options.other) is silent\(reason): the spare sends"
      }
      return fault.map { "the main machine \(options.other): \($0)" }
    }
    if show.gate.isHeld { return "the spare \(options.other) still sends" }
    return isLate ? "the spare \(options.other) does not follow" : nil
  }

  /// Notes why the other one is not followed; told when it is new.
  func note(_ fault: PairFault?) {
    let isNew = heard.withLock { heard in
      defer { heard.fault = fault }
      return heard.fault != fault
    }
    // That it is silent is told when that has come to something.
    if case .silent? = fault { return }
    if isNew, let fault { log.note("\(options.other): \(fault)", .warning) }
  }

  // MARK: - [port]

  /// What the other one is told; nil where somebody else asks.
  func answer(_ peer: PacketPeer, _ request: PairRequest) -> Message? {
    guard options.isOther(peer.address) else { return nil }
    let now = MonotonicClock.seconds
    if options.isSpare, request == .take {
      hold(since: now)
    } else if !options.isSpare {
      heard.withLock { $0.last = now }
    }
    let left = left.withLock { left in
      left.look(show.frames, at: now)
      return left
    }
    var moment = ShowMoment()
    let patience = max(Self.silence, 3 * (show.plan.map { 1 / $0.fps.perSecond } ?? 0))
    moment.isSending = !show.gate.isHeld && now - left.frameTime < patience
    guard var state = left.state, let graph = left.graph else {
      // Another graph was loaded, or there is none yet: nothing of it is to be followed.
      moment.graph = left.sum.isEmpty ? "" : Self.untold
      return Self.message(PairSight.texts(ShowState(), moment))
    }
    state.players = show.players.map { ShowState.Position($0.id, $0.player.snapshot, in: graph) }
    state.isBlackout = show.dimmer.isBlackout
    let way = show.dimmer.way
    state.master = Double(way?.goal ?? show.dimmer.master)
    moment.graph = left.sum
    moment.masterLeft = way?.left ?? 0
    moment.sceneLeft = router.scenes.now?.left ?? 0
    moment.cueLeft = router.cues.now?.left
    moment.fades = router.fades.snapshot.map { ShowMoment.Fade(path: $0.path, goal: $0.goal, left: $0.left) }
    let texts = PairSight.texts(state, moment)
    if texts.reduce(0, { $0 + $1.utf8.count }) <= Self.mostBytes { return Self.message(texts) }
    // That it sends must get through.
    (moment.graph, moment.fades) = (Self.untold, [])
    return Self.message(PairSight.texts(ShowState(), moment))
  }

  private static func message(_ texts: [String]) -> Message {
    Message("/visgraph/pair", arguments: texts.map(Argument.string))
  }

  // MARK: - [network]

  private func run() {
    while !isClosing.load(ordering: .acquiring) {
      let time = MonotonicClock.seconds
      // While there is no frame the other one goes on.
      let isReady =
        !options.isSpare && show.frames.doneFrame > 0
        && (settled.load(ordering: .relaxed) && time - began >= Self.leastFollow
          || time - began >= Self.mostFollow)
      let answer = client.ask(isReady ? .take : .follow, within: Self.pause)
      if options.isSpare {
        lookAtMain(answer)
      } else if lookAtSpare(answer) {
        return
      }
      let end = time + Self.pause
      let due = heard.withLock { $0.last } + Self.silence
      let now = MonotonicClock.seconds
      // What is silent is so to the millisecond.
      wake?.wait(seconds: max(0.001, min(end, show.gate.isHeld && due > now ? due : end) - now))
    }
  }

  /// The spare follows what sends, and sends itself when nothing has said for long that it does.
  private func lookAtMain(_ answer: Result<PairClient.Answer, PairFault>) {
    note(answer)
    if case .success(let answer) = answer, answer.sight.moment.isSending {
      heard.withLock { $0.sight = answer.sight }
      hold(since: answer.asked)
      return wakeMain()
    }
    let now = MonotonicClock.seconds
    // Together, so that what the main one takes meanwhile stays taken.
    let isOpened = heard.withLock { now - $0.last >= Self.silence && show.gate.open() }
    guard isOpened else { return }
    log.note("\(options.other) is silent: this machine sends", .warning)
    wakeMain()
  }

  /// The main one follows a spare that sends until it stands as that does, then it sends; true when it does.
  private func lookAtSpare(_ answer: Result<PairClient.Answer, PairFault>) -> Bool {
    note(answer)
    if case .success(let answer) = answer {
      heard.withLock { ($0.last, $0.sight) = (max($0.last, answer.asked), answer.sight) }
      // One that has let go of it says so with the same answer.
      guard !answer.sight.moment.isSending || answer.request == .take else {
        wakeMain()
        return false
      }
    } else if MonotonicClock.seconds - heard.withLock({ $0.last }) < Self.silence {
      return false
    }
    // Without a frame all that it could send is dark.
    guard show.frames.doneFrame > 0 else { return false }
    show.gate.open()
    log.note("this machine sends; \(options.other) follows")
    wakeMain()
    return true
  }

  /// Another machine sends, or is about to, at a time in seconds.
  private func hold(since time: Double) {
    let wasHeld = heard.withLock { heard in
      heard.last = max(heard.last, time)
      defer { show.gate.hold() }
      return show.gate.isHeld
    }
    if wasHeld { return }
    log.note("\(options.other) sends again: this machine holds what it sends")
    wakeMain()
  }

  private func note(_ answer: Result<PairClient.Answer, PairFault>) {
    switch answer {
    case .success(let answer):
      let (sum, graph) = (left.withLock { $0.sum }, answer.sight.moment.graph)
      note(sum.isEmpty || graph.isEmpty || sum == graph ? nil : .otherGraph)
    case .failure(let fault): note(fault)
    }
  }
}
