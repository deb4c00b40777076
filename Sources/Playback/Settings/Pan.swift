import Glibc

/// The pan law.
enum Pan {
  /// The gains of the two channels.
  ///
  /// A mono file keeps constant power: √2·cos and √2·sin of a quarter circle, so that the gains in the middle are 1.
  /// On a side alone it is 3 dB louder in that channel.
  /// Of a stereo file, the channel opposite to the pan falls along a quarter of a cosine, and the other keeps 1.
  ///
  /// - Parameters:
  ///   - pan: -1…1.
  ///   - isMono: whether both channels have the same sound.
  static func gains(_ pan: Float, isMono: Bool) -> (left: Float, right: Float) {
    if pan == 0 { return (1, 1) }
    let pan = Double(pan)
    guard isMono else {
      return (
        Float(pan > 0 ? max(0, cos(pan * .pi / 2)) : 1), Float(pan < 0 ? max(0, cos(pan * .pi / 2)) : 1)
      )
    }
    let angle = (pan + 1) * .pi / 4
    return (Float(max(0, 2.0.squareRoot() * cos(angle))), Float(max(0, 2.0.squareRoot() * sin(angle))))
  }
}
