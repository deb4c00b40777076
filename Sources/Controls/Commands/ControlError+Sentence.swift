import Graphs
import OSC
import Playback

extension ControlError: CustomStringConvertible {
  /// The sentence: what is wrong, what is allowed, what to do.
  public var description: String {
    switch self {
    case .address(let address):
      // Looked for here, and not where it is refused: most faults of a flood are never reported.
      "nothing is called \(address)"
        + (CommandReader.nearest(to: address).map { "; did you mean \($0)?" }
          ?? "; `visgraph controls` lists what there is")
    case .pattern(let part):
      "\(part) is no pattern that can stand here; patterns (* ? [ ] { }) are understood for ids of nodes and channels, "
        + "with at most \(AddressPattern.mostAsterisks) asterisks in a part"
    case .node(let id, let known):
      "there is no node \(id)\(known.isEmpty ? "" : "; the graph has: \(Self.some(known))")"
    case .setting(let name, let node, let known):
      "\(node) has no setting and no channel \(name); its settings are \(Self.some(known))"
    case .usage(let usage): "the arguments do not fit; write \(usage)"
    case .argument(let name, let found, let takes): "\(name) is \(found); it takes \(takes)"
    case .noRange(let path):
      "\(path) has no range from one end to the other that a fader could have; set it with /visgraph/node/…"
    case .value(let reason): reason
    case .file(let path, .missing): "there is no file \(path), or it cannot be reached"
    case .file(let path, .outside):
      "\(path) lies elsewhere; a message may name only files in the graph's folder or below, "
        + "or in folders that the command line names"
    case .file(let path, .noPath):
      "\(path) is no path that a message may name; give each file as an argument"
    case .notAPlayer(let id): "\(id) plays no files"
    case .noPlayer: "no node of this graph plays files"
    case .track(let track, let count): "there is no track \(track); there are \(count), counted from 1"
    case .play(let refusal): "\(refusal.message); what plays goes on"
    case .slow(let seconds):
      "it is not open after \(shortest(seconds)) s: check the disk that it lies on; what plays goes on"
    case .sound(let name):
      name.map { "nothing has a sound called \($0)" } ?? "no node of this graph has sounds to play"
    case .cue(_, []): "this graph has no cues"
    case .cue(.unknown(let number), let known):
      "there is no cue \(number); the graph has: \(Self.some(known.map(\.description)))"
    case .cue(.last, _): "this is the last cue; /visgraph/cue/goto NUMBER goes to another"
    case .cue(.first, _): "no cue comes before this one"
    case .scene(_, []): "this graph has no scenes"
    case .scene(let name, let known):
      "there is no scene \(name ?? "of that kind"); the graph has: \(Self.some(known))"
    case .graph(_, let message, let notes): ([message] + notes).joined(separator: "; ")
    case .packet(let fault): fault.description
    case .tooMuch(let what): what
    case .notRunning: "the show is not running"
    case .locked: "this show takes messages of other machines only after they have sent /visgraph/key KEY"
    case .wrongKey: "that is not the key of this show"
    case .unproven:
      "it has not sent back the /visgraph/challenge that was sent there; a surface that cannot do that subscribes by TCP, "
        + "or is named by `feedback` of `control`"
    case .unpaired:
      "only the other machine of a pair gets that, by TCP: the one that --spare or --spare-of of this run names"
    }
  }

  /// At most 20 names, and the number of the others.
  private static func some(_ names: [String]) -> String {
    names.count > 20
      ? names.prefix(20).joined(separator: ", ") + " and \(names.count - 20) more"
      : names.joined(separator: ", ")
  }
}
