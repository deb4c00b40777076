/// The settings of a reader at the last opening of the command gate.
struct GatedPlayerSettings: BitwiseCopyable {
  var leastGeneration: Int64 = 0
  var plays = false
  var start = Int64.min
  var volume: UInt64 = 0
  var volumeBefore: UInt64 = 0
  var balance: UInt64 = 0
  var balanceSamples: UInt64 = 0
  /// The side on offer and its generation; −1: none.
  var offer = -1
  var offerGeneration: Int64 = 0

  @_noLocks init() {}
}
