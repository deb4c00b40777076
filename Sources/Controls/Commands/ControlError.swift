public import Graphs
public import OSC
public import Playback

/// Why something that was asked for is refused, as data. [any]
public enum ControlError: Error, Equatable, Sendable {
  /// Nothing is called so.
  case address(String)
  /// A pattern of OSC that is not closed, or stands where none may.
  case pattern(String)
  /// There is no such node; what there is.
  case node(String, known: [String])
  /// The node has no such setting, and no channel of that name; the settings that it has.
  case setting(String, node: String, known: [String])
  /// Other arguments than the command takes.
  case usage(String)
  /// An argument that is not what it must be: its name, what came, what it takes.
  case argument(String, found: String, takes: String)
  /// A setting that has no whole range for a fader.
  case noRange(String)
  /// A value that cannot be written in one message.
  case value(String)
  /// A file that may not be named by the network.
  case file(String, FileRefusal)
  /// The node plays nothing.
  case notAPlayer(String)
  /// No node of the graph plays anything.
  case noPlayer
  /// There is no such track; how many there are.
  case track(Int, of: Int)
  /// Nothing of what a player was asked for can be played.
  case play(OpenRefusal)
  /// A file was not open after so many seconds.
  case slow(Double)
  /// Nothing has a sound of that name; nil: nothing has sounds at all.
  case sound(String?)
  /// There is no cue to go to: why, and what there are.
  case cue(CueRefusal, known: [CueNumber])
  /// There is no such scene; what there are.
  case scene(String?, known: [String])
  /// The graph with the change is at fault: the code of the diagnostic, its sentence, what to do.
  case graph(code: String, String, notes: [String])
  /// The packet is no OSC.
  case packet(OSCError)
  /// More is asked for than can be done.
  case tooMuch(String)
  /// Nothing runs yet, or any more.
  case notRunning
  /// Its sender has not shown the key.
  case locked
  /// What was shown is not the key.
  case wrongKey
  /// A challenge that was sent to where something was asked from has not come back.
  case unproven
  /// It is asked for what is sent to the other machine of a pair alone.
  case unpaired

  /// Why there is no cue to go to.
  public enum CueRefusal: Equatable, Sendable {
    /// None has that number.
    case unknown(CueNumber)
    /// The last one has been gone to.
    case last
    /// None comes before.
    case first
  }

  /// Why a file may not be named.
  public enum FileRefusal: String, Equatable, Sendable {
    /// It is not there, or cannot be reached.
    case missing
    /// It lies elsewhere.
    case outside
    case noPath
  }

  /// A name for programs, which never changes once released.
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
