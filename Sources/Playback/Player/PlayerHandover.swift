/// How a player stands, for one that takes its place at another sample rate: its program, its place and its gains. What
/// was decoded is left behind. [any]
public struct PlayerHandover: Sendable {
  let program: Program
  /// In samples or seconds of the file, which do not depend on the rate of the host.
  let place: Place
  let isPlaying: Bool
  let isOver: Bool
  /// Whether it has let go of its files.
  let isResting: Bool
  let isInterrupted: Bool
  let volume: Float
  let pan: Float
  let mustGather: Bool
  let gatherWithin: [String]
  let mark: Mark?
  let history: History
  let errors: Int
  let nonFinite: Int
  let fault: AudioFault?
}
