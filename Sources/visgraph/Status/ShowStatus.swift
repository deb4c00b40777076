import Controls
import Engine
import Graphs
import Nodes

/// How a running show stands at one moment: all that the screen, the hints and the log need to know. [control]
struct ShowStatus: Equatable, Sendable {
  /// What the graph calls itself.
  var name: String
  /// When this was taken, in seconds of a clock that only goes forward.
  var time: Double
  /// How far the timeline is, in seconds.
  var timeline: Double
  /// Who runs the cycles.
  var host: Host
  /// Where sound comes from, in file order.
  var sources: [Source] = []
  /// Where sound goes to, in file order.
  var outputs: [Output] = []
  /// Where levels go to, in file order.
  var targets: [Target] = []
  /// What is measured of sound besides the meters of `sources`, in file order.
  var measurements: [Measurement] = []
  /// Gates, in file order.
  var gates: [GateState] = []
  /// Emitters, in file order.
  var emitters: [EmitterState] = []
  /// Frames that had to be merged with later ones, so far.
  var mergedFrames: UInt64 = 0
  /// Samples that were no numbers and counted as 0, so far.
  var notFinite: UInt64 = 0
  /// Where control messages are taken, such as `127.0.0.1:7770`, and from whom where that is not this machine alone; nil
  /// where none are.
  var control: String?
  /// Whether others than this machine may control the show: who they are stands behind the address.
  var isControlOpen: Bool { control?.contains(" ") == true }
  /// The pages for browsers; none where none are served.
  var pages: [Page] = []
  /// Whether every level 0…1 that goes out is held at 0.
  var isBlackout = false
  /// What scales them, 0…1.
  var master: Float = 1
  /// The scene, and how far the show has come there; nil: none.
  var scene: SceneProgress.Fact?
  /// Where the show is in its cues; nil: it has none.
  var cue: CueProgress.Fact?
  /// The keys that do something.
  var keys: [KeyHelp] = [KeyHelp(.reload), KeyHelp(.quit)]
  /// The number of a cue, as far as it was typed; nil: none is being typed.
  var typedCue: String?
  /// What further keys play: a sound of a bank.
  var sounds: [Character: SoundKey] = [:]
  /// What is wrong with the files that are written, a sentence each.
  var lost: [String] = []
  /// The last things that happened, oldest first.
  var messages: [LogLine] = []
}

extension ShowStatus {
  /// A page for browsers.
  struct Page: Equatable, Sendable {
    /// What it is called: stage or desk.
    var name: String
    /// Its address, as another machine takes it.
    var address: String
    /// Whether other machines reach it by this address.
    var isReachable = true
  }

  /// A key and what it does, in a word.
  struct KeyHelp: Equatable, Sendable {
    var key: String
    var word: String
    /// Which of the screen's own keys it is; nil: one that plays a sound.
    var own: ScreenKey?

    /// A key of the screen itself, and a word of its own for what it does now.
    init(_ own: ScreenKey, word: String? = nil) {
      (key, self.word, self.own) = (own.rawValue, word ?? own.word, own)
    }

    /// A key that does something else.
    init(key: String, word: String) { (self.key, self.word, own) = (key, word, nil) }
  }

  /// A sound that a key plays.
  struct SoundKey: Equatable, Sendable {
    var bank: String
    var sound: String
  }

  /// Who runs the cycles.
  struct Host: Equatable, Sendable {
    /// What the command line calls it.
    var name: String
    /// How the cycles run, as it stands behind `runs`.
    var manner: String
    /// The sound server; nil for a host without one, which nothing can be connected to.
    var server: HostServer?
    /// Samples a second; 0 where unknown yet.
    var rate = 0
    /// Samples in a cycle; 0 where unknown yet.
    var period = 0
    /// Overruns and underruns so far.
    var xruns: UInt64 = 0
    /// Whether cycles come as fast as they can.
    var isFreewheeling = false
    /// Ports that sound could come from, by full name: what is put into commands to type, the n-th for channel n.
    var available: [String] = []
    /// Who else could play it.
    var servers = SoundServers()
    /// The command that runs it, as it is typed.
    var command = "run"
    /// Whether a JACK server that comes later is taken.
    var takesServer = false
    /// What makes it heard where no JACK server answers.
    var remedy: String { servers.remedy(command, takesServer: takesServer) }
    /// Whether the user asked for this host, and not for what there is.
    var isAskedFor = false

    /// The client's name while its server is there.
    var client: String? {
      server.flatMap { $0.state == .running ? $0.client : nil }
    }
    /// Whether sound can come and go at all.
    var isRunning: Bool { server == nil || client != nil }
  }
}

/// How many messages a second go to each target, from counts: over about the last second. [control]
struct SendRates {
  private struct Key: Hashable {
    var id: String
    var target: String
  }
  private struct Count {
    var time: Double
    var sent: UInt64
  }
  private var counts: [Key: [Count]] = [:]

  /// The targets with their rates, at `time` in seconds; call it with one report after another.
  mutating func update(_ reports: [NodeReport], at time: Double) -> [ShowStatus.Target] {
    var kept: [Key: [Count]] = [:]
    let targets = reports.map { report in
      let key = Key(id: report.id, target: report.target)
      // A count that went back is a new target of the old name.
      var history = (counts[key] ?? []).filter { $0.sent <= report.sent && $0.time < time }
      history.append(Count(time: time, sent: report.sent))
      while history.count > 2, history[1].time <= time - 1 { history.removeFirst() }
      kept[key] = history
      let first = history[0]
      let seconds = time - first.time
      return ShowStatus.Target(
        report: report, perSecond: seconds >= 0.25 ? Double(report.sent - first.sent) / seconds : nil)
    }
    counts = kept
    return targets
  }
}
