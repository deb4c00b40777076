import Controls
import Engine
import Graphs
import Nodes

/// The status of a running show at one moment, for the screen, the hints and the log. [control]
struct ShowStatus: Equatable, Sendable {
  /// The graph's name.
  var name: String
  /// When the snapshot was taken, in s of the monotonic clock.
  var time: Double
  /// The position of the timeline, in s.
  var timeline: Double
  var host: Host
  /// Sources of sound, in file order.
  var sources: [Source] = []
  /// Outputs of sound, in file order.
  var outputs: [Output] = []
  /// Targets of levels, in file order.
  var targets: [Target] = []
  /// Levels that nodes other than the meters of `sources` measure, in file order.
  var measurements: [Measurement] = []
  var gates: [GateState] = []
  var emitters: [EmitterState] = []
  /// The number of frames so far that were merged into later ones.
  var mergedFrames: UInt64 = 0
  /// The number of samples so far that were NaN or infinite; they count as 0.
  var notFinite: UInt64 = 0
  /// The address of the control port, such as `127.0.0.1:7770`, then a space and who may use it, if other machines may;
  /// nil: no port.
  var control: String?
  /// Whether other machines may control the show.
  var isControlOpen: Bool { control?.contains(" ") == true }
  /// The pages for browsers; empty: none are served.
  var pages: [Page] = []
  /// Master, blackout, scene and cue.
  var moment = ShowFigure.Moment()
  /// The keys that have a function now.
  var keys: [KeyHelp] = [KeyHelp(.reload), KeyHelp(.quit)]
  /// The digits of a cue number that is being typed; nil: none is.
  var typedCue: String?
  /// Keys that play sounds of a sound bank.
  var sounds: [Character: SoundKey] = [:]
  /// Faults of the files that are written, a sentence each.
  var lost: [String] = []
  /// The last log lines, oldest first.
  var messages: [LogLine] = []
}

extension ShowStatus {
  struct Page: Equatable, Sendable {
    /// `stage` or `desk`.
    var name: String
    /// Its URL, as other machines open it.
    var address: String
    /// Whether other machines reach it at this address.
    var isReachable = true
  }

  /// A key and its function, in a word.
  struct KeyHelp: Equatable, Sendable {
    var key: String
    var word: String
    var own: ScreenKey?

    init(_ own: ScreenKey, word: String? = nil) {
      (key, self.word, self.own) = (own.rawValue, word ?? own.word, own)
    }

    init(key: String, word: String) { (self.key, self.word, own) = (key, word, nil) }
  }

  struct SoundKey: Equatable, Sendable {
    var bank: String
    var sound: String
  }

  /// The host that runs the cycles.
  struct Host: Equatable, Sendable {
    /// The name that `--host` takes.
    var name: String
    /// How it runs the cycles, in words that follow `runs`.
    var manner: String
    /// The sound server; nil: the host has none, so nothing can be connected.
    var server: HostServer?
    /// Samples a second; 0: unknown.
    var rate = 0
    /// Samples a cycle; 0: unknown.
    var period = 0
    /// Overruns and underruns so far.
    var xruns: UInt64 = 0
    /// Whether the server is in freewheel.
    var isFreewheeling = false
    /// Full names of ports that give sound, for commands that the user types: the n-th is for channel n.
    var available: [String] = []
    /// The other sound servers of this machine.
    var servers = SoundServers()
    /// The subcommand of this run.
    var command = "run"
    /// Whether a JACK server that appears later replaces the timer.
    var takesServer = false
    /// What the user can do to hear the sound, if no JACK server answers.
    var remedy: String { servers.remedy(command, takesServer: takesServer) }
    /// Whether the user asked for this host by `--host`.
    var isAskedFor = false

    /// The client's name; nil while no server runs.
    var client: String? {
      server.flatMap { $0.state == .running ? $0.client : nil }
    }
    /// Whether the host runs cycles of sound.
    var isRunning: Bool { server == nil || client != nil }
  }
}

/// The rates of messages to each target, in messages a second, over about 1 s. [control]
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

  /// The targets with their rates, at `time` in s. Each call must have the reports of all targets.
  mutating func update(_ reports: [NodeReport], at time: Double) -> [ShowStatus.Target] {
    var kept: [Key: [Count]] = [:]
    let targets = reports.map { report in
      let key = Key(id: report.id, target: report.target)
      // A count that went back belongs to a new target of the same name.
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
