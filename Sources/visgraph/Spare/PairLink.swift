import Controls
import Engine
import Graphs
import OSC
import Playback
import Synchronization
import System

/// The connection to the other machine of a pair: requests its state, answers its requests, and opens or holds the
/// output gate.
///
/// The spare requests as long as it runs. The main machine requests at its start, and then as long as the spare still
/// sends. [any], except for members with a tag of their own; `[network]` is its own thread.
final class PairLink: @unchecked Sendable {
  /// The interval between requests; and the time after which a machine that sends, but does not answer, counts as
  /// silent. Both in s.
  static let (pause, silence) = (0.25, 1.0)
  /// The least and the most time, in s, for which the main machine follows a sending spare before it takes over.
  static let (leastFollow, mostFollow) = (1.0, 10.0)
  /// The texts that replace the graph's checksum in an answer without a state, so that no machine follows it: without a
  /// reason, and because the state is larger than `PairSight.mostBytes`.
  static let (untold, tooLarge) = ("untold", "too-large")

  /// What the control thread has published for answers.
  private struct Published {
    var state: ShowState?
    var graph: CheckedGraph?
    var sum = ""
    /// The newest frame, and when it was first seen, in s.
    var frame: Int64 = 0
    var frameTime = -Double.infinity

    mutating func noteFrame(_ frames: FrameThread, at now: Double) {
      let new = frames.doneFrame
      if new != frame { (frame, frameTime) = (new, now) }
    }
  }

  private struct Heard {
    var sight: PairSight?
    /// When the other machine last reported that it sends, in s. On the main machine: when the spare sent its last
    /// request.
    var last: Double
    var fault: PairFault?
  }

  let options: PairOptions
  private let show: Show
  private let router: CommandRouter
  private let log: Log
  private let wakeMain: @Sendable () -> Void
  private let wake = WakePipe()
  private let published = Locked(Published())
  private let heard = Locked(Heard(last: MonotonicClock.seconds))
  private let isClosing = Atomic<Bool>(false)
  /// Whether this show's state equals the other machine's.
  private let settled = Atomic<Bool>(false)
  /// [network]
  private let client: PairClient
  private var thread: Thread?
  /// When the thread began to send requests, in s.
  private var began = 0.0

  /// `wake` wakes up the control thread.
  init(
    _ options: PairOptions, _ show: Show, _ router: CommandRouter, key: String?, _ log: Log,
    wake: @escaping @Sendable () -> Void
  ) {
    (self.options, self.show, self.router, self.log) = (options, show, router, log)
    client = PairClient(options.other, key: key, silence: Self.silence)
    wakeMain = wake
  }

  // MARK: - [control]

  /// Sends the first request. Returns the other machine's state if it sends. If it does not answer, the main machine
  /// opens its gate at once. Else the gate stays held until there is a frame, because the other machine may send until
  /// then.
  func first() -> PairSight? {
    let answer = client.ask(.follow, within: Self.silence)
    note(answer)
    if case .failure(.silent) = answer, !options.isSpare { show.gate.open() }
    if case .success(let answer) = answer, answer.sight.moment.isSending { return answer.sight }
    return nil
  }

  /// Starts the thread of requests, if the gate is held.
  func start() throws {
    guard show.gate.isHeld else { return }
    began = MonotonicClock.seconds
    heard.withLock { $0.last = began }
    thread = try Thread.required("pair") { [self] in run() }
  }

  /// Ends the thread.
  func close() {
    isClosing.store(true, ordering: .releasing)
    wake?.wake()
    thread?.join()
    thread = nil
  }

  /// Publishes the show's state for answers. `sum`: the checksum of the graph's text.
  func publish(_ state: ShowState?, _ graph: CheckedGraph, sum: String) {
    let now = MonotonicClock.seconds
    published.withLock { published in
      (published.state, published.graph, published.sum) = (state, graph, sum)
      // Keeps the frame's time right, because requests may be rare.
      published.noteFrame(show.frames, at: now)
    }
  }

  /// Takes the other machine's newest state; nil: none since the last call.
  func takeSight() -> PairSight? {
    heard.withLock { heard in
      defer { heard.sight = nil }
      return heard.sight
    }
  }

  /// Notes whether this show's state equals the other machine's; a main machine then takes over.
  func settle(_ isThere: Bool) { settled.store(isThere, ordering: .relaxed) }

  /// The fault of the pair in a sentence; nil: none. [any]
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

  /// Notes why the other machine is not followed; logs a new reason.
  func note(_ fault: PairFault?) {
    let isNew = heard.withLock { heard in
      defer { heard.fault = fault }
      return heard.fault != fault
    }
    // Silence is logged when this machine begins to send.
    if case .silent? = fault { return }
    if isNew, let fault { log.note("\(options.other): \(fault)", .warning) }
  }

  // MARK: - [port]

  /// The answer to a request; nil where it comes from a third machine.
  func answer(_ peer: PacketPeer, _ request: PairRequest) -> Message? {
    guard options.isOther(peer.address) else { return nil }
    let now = MonotonicClock.seconds
    if options.isSpare, request == .take {
      hold(since: now)
    } else if !options.isSpare {
      heard.withLock { $0.last = now }
    }
    let published = published.withLock { published in
      published.noteFrame(show.frames, at: now)
      return published
    }
    var moment = ShowMoment()
    let timeout = max(Self.silence, 3 * (show.plan.map { 1 / $0.fps.perSecond } ?? 0))
    moment.isSending = !show.gate.isHeld && now - published.frameTime < timeout
    guard var state = published.state, let graph = published.graph else {
      // No graph yet, or another one is loaded: this state must not be followed.
      moment.graph = published.sum.isEmpty ? "" : Self.untold
      return Self.message(PairSight.texts(ShowState(), moment))
    }
    state.players = show.players.map { ShowState.Position($0.id, $0.player.snapshot, in: graph) }
    state.isBlackout = show.dimmer.isBlackout
    let way = show.dimmer.way
    state.master = Double(way?.goal ?? show.dimmer.master)
    moment.graph = published.sum
    moment.masterLeft = way?.left ?? 0
    moment.sceneLeft = router.scenes.now?.left ?? 0
    moment.cueLeft = router.cues.now?.left
    moment.fades = router.fades.snapshot.map { ShowMoment.Fade(path: $0.path, goal: $0.goal, left: $0.left) }
    let texts = PairSight.texts(state, moment)
    if texts.reduce(0, { $0 + $1.utf8.count }) <= PairSight.mostBytes { return Self.message(texts) }
    // The state is too large. The answer without it still tells that this machine sends.
    (moment.graph, moment.fades) = (Self.tooLarge, [])
    return Self.message(PairSight.texts(ShowState(), moment))
  }

  private static func message(_ texts: [String]) -> Message {
    Message("/visgraph/pair", arguments: texts.map(Argument.string))
  }

  // MARK: - [network]

  private func run() {
    while !isClosing.load(ordering: .acquiring) {
      let time = MonotonicClock.seconds
      // Without a frame of its own, this machine lets the other one go on.
      let isReady =
        !options.isSpare && show.frames.doneFrame > 0
        && (settled.load(ordering: .relaxed) && time - began >= Self.leastFollow
          || time - began >= Self.mostFollow)
      let answer = client.ask(isReady ? .take : .follow, within: Self.pause)
      if options.isSpare {
        handleMainAnswer(answer)
      } else if handleSpareAnswer(answer) {
        return
      }
      let end = time + Self.pause
      let due = heard.withLock { $0.last } + Self.silence
      let now = MonotonicClock.seconds
      // Wakes up when the silence is complete, so that the takeover is not late by an interval.
      wake?.wait(seconds: max(0.001, min(end, show.gate.isHeld && due > now ? due : end) - now))
    }
  }

  /// On the spare: follows a main machine that sends, and opens the gate after `silence`.
  private func handleMainAnswer(_ answer: Result<PairClient.Answer, PairFault>) {
    note(answer)
    if case .success(let answer) = answer, answer.sight.moment.isSending {
      heard.withLock { $0.sight = answer.sight }
      hold(since: answer.asked)
      return wakeMain()
    }
    let now = MonotonicClock.seconds
    // Under one lock, so that a request to take over in between is not lost.
    let isOpened = heard.withLock { now - $0.last >= Self.silence && show.gate.open() }
    guard isOpened else { return }
    log.note("\(options.other) is silent: this machine sends", .warning)
    wakeMain()
  }

  /// On the main machine: follows a spare that sends until both states are equal, then opens the gate. Returns whether
  /// it has.
  private func handleSpareAnswer(_ answer: Result<PairClient.Answer, PairFault>) -> Bool {
    note(answer)
    if case .success(let answer) = answer {
      heard.withLock { ($0.last, $0.sight) = (max($0.last, answer.asked), answer.sight) }
      // The answer to `take` has the state of the spare before it held its gate.
      guard !answer.sight.moment.isSending || answer.request == .take else {
        wakeMain()
        return false
      }
    } else if MonotonicClock.seconds - heard.withLock({ $0.last }) < Self.silence {
      return false
    }
    // Without a frame, this machine could send only darkness.
    guard show.frames.doneFrame > 0 else { return false }
    show.gate.open()
    log.note("this machine sends; \(options.other) follows")
    wakeMain()
    return true
  }

  /// Holds the gate, because the other machine sends or is about to; `time` in s.
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
      let (sum, graph) = (published.withLock { $0.sum }, answer.sight.moment.graph)
      let isSame = sum.isEmpty || graph.isEmpty || sum == graph
      note(isSame ? nil : graph == Self.tooLarge ? .tooLarge : .otherGraph)
    case .failure(let fault): note(fault)
    }
  }
}
