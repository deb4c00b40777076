public import OSC

/// Checks a message that a graph sends to its own show, as the show would. Returns the settings that the message
/// would set, with values as a graph file writes them, or the fault. [control]
public typealias MessageCheck =
  @Sendable (_ message: Message, _ graph: CheckedGraph) -> Result<[Override], MessageFault>

/// Why the show cannot carry out a message.
public struct MessageFault: Error, Equatable, Sendable {
  /// A name for programs, which never changes once released.
  public let code: String
  /// What is wrong, what is allowed, what to do.
  public let message: String

  /// Makes a fault.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

/// Checks the cues and the alarms of a file against its graph. [control]
struct CueCheck {
  private let graph: CheckedGraph
  private let context: ReadContext
  private let messages: MessageCheck?
  /// Returns the faults that the graph has with a setting changed.
  private let faults: (Override) -> [Diagnostic]
  /// The number of settings that may still be checked against the whole graph.
  private var room: Int
  /// The names of all scenes, including invalid ones.
  private var scenes: [String] = []

  /// `size`: the number of keys and values of all nodes. `faults`: returns the faults that the graph has with a
  /// setting changed.
  init(
    _ graph: CheckedGraph, size: Int, messages: MessageCheck?, _ context: ReadContext,
    faults: @escaping (Override) -> [Diagnostic]
  ) {
    (self.graph, self.context, self.messages, self.faults) = (graph, context, messages, faults)
    room = Limits.sceneChecks / max(1, size)
  }

  /// Returns the cues by number and the alarms in file order; none if a cue or an alarm has a fault. Messages are
  /// checked only if the rest of the graph is valid (`isWell`), and otherwise nothing is returned.
  mutating func check(
    _ list: CueList, _ alarms: [AlarmSettings], listMark: SourceRange?, scenes: [String], isWell: Bool
  ) -> (cues: [ShowCue], alarms: [ShowAlarm]) {
    self.scenes = scenes
    let before = context.count
    let endpoints = Set(
      (list.entries.map(\.cue.action) + alarms.map(\.action)).flatMap(\.messages).compactMap(\.text.endpoint))
    if endpoints.count > Limits.messageTargets {
      context.report(.tooManyTargets(of: "cues and alarms", endpoints.count, at: listMark))
    }
    guard list.entries.count <= Limits.cues else {
      context.report(.tooManyCues(list.entries.count, at: listMark))
      return ([], [])
    }
    let entries = list.entries.sorted { $0.number < $1.number }
    let known = entries.map(\.number)
    for entry in entries { check(entry, known) }
    checkLoops(entries)
    for alarm in alarms { check(alarm, known) }
    guard isWell, context.count == before else { return ([], []) }
    let cues = entries.map { entry in
      ShowCue(
        number: entry.number, label: entry.cue.label ?? "", action: entry.cue.action.action,
        followOn: entry.cue.followOn, link: entry.cue.link.flatMap(CueNumber.init))
    }
    var whole = graph
    whole.cues = cues
    // Messages of alarms may name cues; messages of cues may not.
    for alarm in alarms { check(alarm.action, in: whole, isCue: false) }
    for entry in entries { check(entry.cue.action, in: whole, isCue: true) }
    return (
      cues,
      alarms.compactMap { alarm in
        alarm.time.map { time in
          ShowAlarm(
            second: time.second, days: Set(alarm.days.map(\.number)),
            cue: alarm.cue.flatMap(CueNumber.init), action: alarm.action.action, name: time.text)
        }
      }
    )
  }

  private func check(_ entry: CueList.Entry, _ known: [CueNumber]) {
    let cue = entry.cue
    check(scene: cue.action)
    if cue.follow != nil, cue.continues != nil {
      context.report(.cueFollowsTwice(entry.number, at: cue.followMark ?? entry.mark))
    }
    if let link = cue.link.flatMap(CueNumber.init), !known.contains(link) {
      context.report(.unknownCue(link, known: known, at: cue.linkMark ?? entry.mark))
    }
  }

  private func check(_ alarm: AlarmSettings, _ known: [CueNumber]) {
    if alarm.time == nil { context.report(.alarmWithoutTime(at: alarm.mark)) }
    let hasAction = alarm.action.scene != nil || !alarm.action.messages.isEmpty
    if alarm.cue == nil, !hasAction { context.report(.emptyAlarm(at: alarm.mark)) }
    if alarm.cue != nil, alarm.action.scene != nil {
      context.report(.alarmWithBoth(at: alarm.cueMark ?? alarm.mark))
    }
    if let number = alarm.cue.flatMap(CueNumber.init), !known.contains(number) {
      context.report(.unknownCue(number, known: known, at: alarm.cueMark))
    }
    check(scene: alarm.action)
  }

  private func check(scene action: ActionSettings) {
    guard let scene = action.scene, !scenes.contains(scene) else { return }
    context.report(.unknownScene(scene, known: scenes, at: action.sceneMark))
  }

  /// Reports loops of cues that follow on by themselves and take less than `shortestLoop`, which would change the
  /// show without pause.
  private func checkLoops(_ entries: [CueList.Entry]) {
    let byNumber = Dictionary(entries.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(
      zip(entries.map(\.number), entries.dropFirst().map(\.number)), uniquingKeysWith: { first, _ in first })
    var seen: Set<CueNumber> = []
    for entry in entries where !seen.contains(entry.number) {
      var way: [CueNumber] = []
      var next: CueList.Entry? = entry
      while let cue = next, let delay = delay(of: cue.cue), delay < Self.shortestLoop,
        seen.insert(cue.number).inserted
      {
        way.append(cue.number)
        next = (cue.cue.link.flatMap(CueNumber.init) ?? after[cue.number]).flatMap { byNumber[$0] }
      }
      guard let next, let start = way.firstIndex(of: next.number) else { continue }
      let circle = Array(way[start...])
      let time = circle.reduce(0.0) { $0 + (byNumber[$1].flatMap { delay(of: $0.cue) } ?? 0) }
      if time < Self.shortestLoop {
        let last = circle.last.flatMap { byNumber[$0] }
        context.report(.cueCircle(circle, seconds: time, at: last?.cue.linkMark ?? last?.mark))
      }
    }
  }

  /// The shortest time that a loop of cues may take, in seconds.
  static let shortestLoop = 1.0

  /// The time from the beginning of a cue to that of the next, in seconds; nil if the next waits for a go, or the time
  /// is not known.
  private func delay(of cue: CueSettings) -> Double? {
    switch cue.followOn {
    case .begin(let seconds): seconds
    case .end(let seconds): length(of: cue).map { seconds + $0 }
    case nil: nil
    }
  }

  /// The fade time of a cue's scene, in seconds; 0 without a scene. Nil: it is not known, because the file has other
  /// faults, so that its scenes were not checked.
  private func length(of cue: CueSettings) -> Double? {
    guard let name = cue.action.scene else { return 0 }
    return cue.action.seconds ?? graph.scenes.first { $0.name == name }.map { $0.seconds ?? 0 }
  }

  private mutating func check(_ action: ActionSettings, in graph: CheckedGraph, isCue: Bool) {
    guard let messages else { return }
    for message in action.messages where message.text.endpoint == nil && !context.hasPlenty {
      let mark = message.mark
      if isCue, message.text.message.address.hasPrefix("/visgraph/cue/") {
        context.report(.cueInCue(at: mark))
        continue
      }
      switch messages(message.text.message, graph) {
      case .failure(let fault): context.report(Diagnostic(fault.code, fault.message, at: mark))
      case .success(let settings): for setting in settings { check(setting, graph, at: mark) }
      }
    }
  }

  private mutating func check(_ setting: Override, _ graph: CheckedGraph, at mark: SourceRange) {
    if graph.setting(setting) != nil { return }
    guard room > 0 else { return context.report(.tooManyCueSettings(at: mark)) }
    room -= 1
    for var fault in faults(setting) {
      fault.mark = mark
      context.report(fault)
    }
  }
}
