public import Graphs

extension CheckedGraph {
  /// Advice where a cycle is too long for levels and events to act in time; nil where it is not.
  public func delayAdvice(cycle: Int, rate: Int) -> String? {
    let frame = max(1, rate * Int(self.fps.seconds) / Int(self.fps.frames))
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
      + "offline, or use a period of at most \(frame) samples"
  }
}
