public import Graphs
public import OSC
public import Playback

/// Why a request is refused, as data. [any]
public enum ControlError: Error, Equatable, Sendable {
  /// No command has this address.
  case address(String)
  /// A malformed OSC pattern, or one where none is allowed.
  case pattern(String)
  /// There is no such node; the ids that exist.
  case node(String, known: [String])
  /// The node has neither such a setting nor such a channel; the settings that it has.
  case setting(String, node: String, known: [String])
  /// The number or form of the arguments is wrong; the usage.
  case usage(String)
  /// An argument is not allowed: its name, what was found, what it takes.
  case argument(String, found: String, takes: String)
  /// The setting has no bounded range, which a fader needs.
  case noRange(String)
  /// A message cannot set this value; the sentence.
  case value(String)
  /// The file may not be named by a message.
  case file(String, FileRefusal)
  /// The node has no player.
  case notAPlayer(String)
  /// No node of the graph has a player.
  case noPlayer
  /// There is no such track, counted from 1; the number of tracks.
  case track(Int, of: Int)
  /// None of the files that a player was asked for can be played.
  case play(OpenRefusal)
  /// A file was not open after the timeout, in seconds.
  case slow(Double)
  /// No sound bank has a sound of that name; nil: there are no sounds.
  case sound(String?)
  /// There is no such cue: the reason, and the numbers that exist.
  case cue(CueRefusal, known: [CueNumber])
  /// There is no such scene; the names that exist.
  case scene(String?, known: [String])
  /// The graph would have a fault with the change: code, sentence and notes of the diagnostic.
  case graph(code: String, String, notes: [String])
  /// The packet is not valid OSC.
  case packet(OSCError)
  /// A limit is exceeded; the sentence.
  case tooMuch(String)
  /// No graph runs: not yet, or no longer.
  case notRunning
  /// The sender has not sent the key.
  case locked
  /// The sender has sent another key.
  case wrongKey
  /// The sender has not sent back the challenge that was sent to its address.
  case unproven
  /// Only the other machine of a pair may ask for this.
  case unpaired

  /// A score has a command that it cannot carry out (`ShowCommand.isOfScore`).
  static let notOfScore = Self.value("a score neither reads, loads nor saves a graph; this is left out")
  /// A cue has such a command, in a run offline.
  static let notOfOfflineCue = Self.value(
    "offline no graph is read, loaded or saved: that command of the cue is left out, and the rest of the cue acts"
  )

  /// Why there is no such cue.
  public enum CueRefusal: Equatable, Sendable {
    /// No cue has that number.
    case unknown(CueNumber)
    /// The show is at the last cue.
    case last
    /// No cue comes before this one.
    case first
  }

  /// Why a message may not name a file.
  public enum FileRefusal: String, Equatable, Sendable {
    /// It is not there, or cannot be reached.
    case missing
    /// It lies outside the allowed folders.
    case outside
    /// The text is not a path: empty, too long, or a list.
    case noPath
  }

  /// A stable name for programs, which never changes once released.
  public var code: String {
    switch self {
    case .address: "control-address"
    case .pattern: "control-pattern"
    case .node: "unknown-node"
    case .setting: "unknown-setting"
    case .usage: "control-usage"
    case .argument: "control-argument"
    case .noRange: "control-no-range"
    case .value: "control-value"
    case .file: "control-file"
    case .notAPlayer, .noPlayer: "control-no-player"
    case .track: "control-track"
    case .play(let refusal): refusal.code
    case .slow: "control-slow"
    case .sound: "control-sound"
    case .cue(.unknown, _): "unknown-cue"
    case .cue: "control-cue"
    case .scene: "unknown-scene"
    case .graph(let code, _, _): code
    case .packet(let fault): fault.code
    case .tooMuch: "control-too-much"
    case .notRunning: "control-not-running"
    case .locked: "control-locked"
    case .wrongKey: "control-key"
    case .unproven: "control-unproven"
    case .unpaired: "control-pair"
    }
  }
}
