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
  /// Whoever sends it has not shown the key.
  case locked
  /// What was shown is not the key.
  case wrongKey
  /// A challenge that was sent to where something was asked from has not come back.
  case unproven

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
    /// It is no path.
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
    }
  }
}

extension ControlError: CustomStringConvertible {
  /// The sentence: what is wrong, what is allowed, what to do.
  public var description: String {
    switch self {
    case .address(let address):
      // Looked for here, and not where it is refused: most of a flood is told to nobody.
      "nothing is called \(address)"
        + (CommandReader.nearest(to: address).map { "; did you mean \($0)?" }
          ?? "; `visgraph controls` lists what there is")
    case .pattern(let part):
      "\(part) is no pattern that can stand here; patterns (* ? [ ] { }) are understood for ids of nodes and channels, "
        + "with at most \(AddressPattern.mostAsterisks) asterisks in a part"
    case .node(let id, let known):
      "there is no node \(id)\(known.isEmpty ? "" : "; known are \(Self.some(known))")"
    case .setting(let name, let node, let known):
      "\(node) has no setting and no channel \(name); its settings are \(Self.some(known))"
    case .usage(let usage): "the arguments do not fit; write \(usage)"
    case .argument(let name, let found, let takes): "\(name) is \(found); it takes \(takes)"
    case .noRange(let path):
      "\(path) has no range from one end to the other that a fader could have; set it with /visgraph/node/…"
    case .value(let reason): reason
    case .file(let path, .missing): "there is no file \(path), or it cannot be reached"
    case .file(let path, .outside):
      "\(path) lies elsewhere; a message may name only what is in the graph's folder or below, "
        + "or in folders that the command line names"
    case .file(let path, .noPath):
      "\(path) is no path that a message may name; give each file as an argument"
    case .notAPlayer(let id): "\(id) plays no files"
    case .noPlayer: "nothing in this graph plays files"
    case .track(let track, let count): "there is no track \(track); there are \(count), counted from 1"
    case .play(let refusal): "\(refusal.message); what plays goes on"
    case .slow(let seconds):
      "it is not open after \(shortest(seconds)) s: check the disk that it lies on; what plays goes on"
    case .sound(let name):
      name.map { "nothing has a sound called \($0)" } ?? "nothing in this graph has sounds to be played"
    case .cue(_, []): "this graph has no cues"
    case .cue(.unknown(let number), let known):
      "there is no cue \(number); known are \(Self.some(known.map(\.description)))"
    case .cue(.last, _): "the last cue has been gone to; /visgraph/cue/goto NUMBER goes to another"
    case .cue(.first, _): "no cue comes before this one"
    case .scene(_, []): "this graph has no scenes"
    case .scene(let name, let known):
      "there is no scene \(name ?? "of that kind"); known are \(Self.some(known))"
    case .graph(_, let message, let notes): ([message] + notes).joined(separator: "; ")
    case .packet(let fault): fault.description
    case .tooMuch(let what): what
    case .notRunning: "the show is not running"
    case .locked: "this show obeys other machines only after they have sent /visgraph/key KEY"
    case .wrongKey: "that is not the key of this show"
    case .unproven:
      "it has not sent back the /visgraph/challenge that was sent there; a surface that cannot do that subscribes by TCP, "
        + "or is named by `feedback` of `control`"
    }
  }

  /// The first of many names.
  private static func some(_ names: [String]) -> String {
    names.count > 20
      ? names.prefix(20).joined(separator: ", ") + " and \(names.count - 20) more"
      : names.joined(separator: ", ")
  }
}
