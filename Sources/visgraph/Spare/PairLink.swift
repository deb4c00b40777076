import Controls
import Engine
import Glibc
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
  /// The most bytes of a state that is told, and what stands for the sum of its graph where there are more.
  static let (mostBytes, tooLarge) = (60_000, "too large")

  /// What the control thread has left for answers.
  private struct Left {
    var state: ShowState?
    var graph: CheckedGraph?
    var sum = ""
    /// The newest frame that was seen, and when it was new, in seconds.
    var frame: Int64 = -1
    var frameTime = -Double.infinity
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
  private let key: String?
  private let log: Log
  private let wakeMain: @Sendable () -> Void
  private let wake = WakePipe()
  private let left = Locked(Left())
  private let heard = Locked(Heard(last: MonotonicClock.seconds))
  private let isClosing = Atomic<Bool>(false)
  private let settled = Atomic<Bool>(false)
  /// [network]
  private var client: PacketClient?
  private var thread: Thread?
  private let began = MonotonicClock.seconds

  /// `wake` has the control thread look.
  init(
    _ options: PairOptions, _ show: Show, _ router: CommandRouter, key: String?, _ log: Log,
    wake: @escaping @Sendable () -> Void
  ) {
    (self.options, self.show, self.router, self.key, self.log) = (options, show, router, key, log)
    wakeMain = wake
  }

  // MARK: - [control]

  /// Asks for the first time. Gives how the other one stands where this one is to begin so; where it does not send, or does
  /// not answer, the main one sends from its first frame on.
  func first() -> PairSight? {
    let answer = ask(.follow, within: Self.silence)
    note(answer)
    if case .success(let sight) = answer, sight.moment.isSending { return sight }
    if !options.isSpare { show.gate.open() }
    return nil
  }

  /// Begins to ask again and again, where that is needed.
  func start() throws {
    guard show.gate.isHeld else { return }
    heard.withLock { $0.last = MonotonicClock.seconds }
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
    left.withLock { ($0.state, $0.graph, $0.sum) = (state, graph, sum) }
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
    guard peer.address == options.address || peer.address.isLoopback && options.address.isLoopback else {
      return nil
    }
    let now = MonotonicClock.seconds
    if options.isSpare, request == .take {
      heard.withLock { $0.last = now }
      hold()
    } else if !options.isSpare {
      heard.withLock { $0.last = now }
    }
    let left = left.withLock { left in
      let frame = show.frames.doneFrame
      if frame != left.frame { (left.frame, left.frameTime) = (frame, now) }
      return left
    }
    guard var state = left.state, let graph = left.graph else {
      return Self.message(PairSight.texts(ShowState(), ShowMoment()))
    }
    state.players = show.players.map { ShowState.Position($0.id, $0.player.snapshot, in: graph) }
    state.isBlackout = show.dimmer.isBlackout
    let way = show.dimmer.way
    state.master = Double(way?.goal ?? show.dimmer.master)
    var moment = ShowMoment()
    moment.graph = left.sum
    let patience = max(Self.silence, 3 * (show.plan.map { 1 / $0.fps.perSecond } ?? 0))
    moment.isSending = !show.gate.isHeld && now - left.frameTime < patience
    moment.masterLeft = way?.left ?? 0
    moment.sceneLeft = router.scenes.now?.left ?? 0
    moment.cueLeft = router.cues.now?.left
    moment.fades = router.fades.snapshot.map { ShowMoment.Fade(path: $0.path, goal: $0.goal, left: $0.left) }
    let texts = PairSight.texts(state, moment)
    if texts.reduce(0, { $0 + $1.utf8.count }) <= Self.mostBytes { return Self.message(texts) }
    // That it sends must get through.
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
      let isReady =
        !options.isSpare
        && (settled.load(ordering: .relaxed) && time - began >= Self.leastFollow
          || time - began >= Self.mostFollow)
      let answer = ask(isReady ? .take : .follow, within: Self.pause)
      if options.isSpare {
        lookAtMain(answer)
      } else if lookAtSpare(answer, hasTaken: isReady) {
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
  private func lookAtMain(_ answer: Result<PairSight, PairFault>) {
    note(answer)
    let now = MonotonicClock.seconds
    if case .success(let sight) = answer, sight.moment.isSending {
      heard.withLock { ($0.last, $0.sight) = (now, sight) }
      hold()
      return wakeMain()
    }
    guard now - heard.withLock({ $0.last }) >= Self.silence, show.gate.open() else { return }
    log.note("\(options.other) is silent: this machine sends", .warning)
    wakeMain()
  }

  /// The main one follows a spare that sends until it stands as that does, then it sends; true when it does.
  private func lookAtSpare(_ answer: Result<PairSight, PairFault>, hasTaken: Bool) -> Bool {
    note(answer)
    let now = MonotonicClock.seconds
    if case .success(let sight) = answer {
      heard.withLock { ($0.last, $0.sight) = (now, sight) }
      // One that has let go of it says so with the same answer.
      guard !sight.moment.isSending || hasTaken else {
        wakeMain()
        return false
      }
    } else if now - heard.withLock({ $0.last }) < Self.silence {
      return false
    }
    show.gate.open()
    log.note("this machine sends again; \(options.other) follows")
    wakeMain()
    return true
  }

  /// Another machine sends.
  private func hold() {
    guard !show.gate.isHeld else { return }
    show.gate.hold()
    log.note("\(options.other) sends again: this machine holds what it sends")
    wakeMain()
  }

  private func note(_ answer: Result<PairSight, PairFault>) {
    switch answer {
    case .success(let sight):
      let sum = left.withLock { $0.sum }
      note(sum.isEmpty || sight.moment.graph.isEmpty || sum == sight.moment.graph ? nil : .otherGraph)
    case .failure(let fault): note(fault)
    }
  }

  /// Asks the other one, within so many seconds for each step.
  private func ask(_ request: PairRequest, within seconds: Double) -> Result<PairSight, PairFault> {
    do {
      let client = try self.client ?? connect(within: seconds)
      self.client = client
      let sent = MonotonicClock.seconds
      try client.send(Message("/visgraph/pair", .string(request.rawValue)).packet())
      let deadline = Deadline.after(seconds: seconds)
      while let packet = try client.receive(within: deadline.seconds) {
        for message in (try? PacketReader().read(packet))?.messages ?? [] {
          let texts = message.arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }
          if message.address == "/visgraph/error" { return .failure(.refused(texts.last ?? "")) }
          guard message.address == "/visgraph/pair" else { continue }
          return PairSight.read(texts, at: (sent + MonotonicClock.seconds) / 2)
        }
      }
      self.client = nil
      return .failure(.silent("it does not answer"))
    } catch {
      client = nil
      return .failure(.silent("\(error)"))
    }
  }

  private func connect(within seconds: Double) throws -> PacketClient {
    let client = try PacketClient(options.other, .stream, within: seconds)
    if let key { try client.send(Message("/visgraph/key", .string(key)).packet()) }
    return client
  }
}
