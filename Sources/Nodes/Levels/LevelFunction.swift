import Engine
public import Graphs

/// A frame half that is one function without a memory. [frame]
final class LevelFunction: FrameNode {
  private let body: (Frame) -> Void

  init(_ body: @escaping (Frame) -> Void) { self.body = body }

  func run(_ frame: Frame) { body(frame) }
}

/// How many frames after its own a level or an event acts on sound, as the graph states it: the same live and offline.
enum LevelDelay {
  /// The least: a frame's values are made while the one behind it runs.
  static let least = 2
  static let kind = ValueKind.number(.none, Double(least)...1000, whole: true)

  /// The least delay with which all are there in time. A frame that ends as a cycle has begun is known when the next
  /// begins: nearly a cycle after its end.
  static func needed(cycle: Int, frame: Int) -> Int {
    max(least, 1 + (max(1, cycle) - 1 + frame - 1) / max(1, frame))
  }
}

extension CheckedGraph {
  /// What can be done where a cycle is too long for levels and events to act in time; nil where it is not.
  public func delayAdvice(cycle: Int, rate: Int) -> String? {
    let frame = max(1, rate * Int(fps.seconds) / Int(fps.frames))
    let needed = LevelDelay.needed(cycle: cycle, frame: frame)
    let late = nodes.filter { node in
      if let gain = node.settings(of: Gain.self) {
        return node.inputs[1].type != nil && gain.all.delay < needed
      }
      if let bank = node.settings(of: SoundBankNode.self) {
        return bank.all.events == .frame && bank.all.delay < needed
      }
      return false
    }
    guard !late.isEmpty else { return nil }
    return
      "a cycle of \(cycle) samples is longer than a frame of \(frame), too long for what acts on sound in "
      + late.map(\.id).joined(separator: ", ")
      + ": write `delay: \(needed)` there, which sounds the same live and "
      + "offline, or take a period of at most \(frame) samples"
  }
}
