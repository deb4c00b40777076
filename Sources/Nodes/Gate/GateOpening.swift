public import Graphs

extension CheckedNode {
  /// Where a gate opens for a channel, counted from 0, in the unit of its wire; nil for other nodes. [control]
  public func gateOpening(channel: Int) -> (level: Double, isDecibels: Bool)? {
    guard let settings = settings as? PerChannel<Gate.Settings> else { return nil }
    let isLevel = inputs.first?.type == .level
    return (Gate.thresholds(settings[channel], isLevel: isLevel).open, !isLevel)
  }
}
