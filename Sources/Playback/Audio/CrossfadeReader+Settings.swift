import CRealtime
import Realtime
import Synchronization

/// The settings of the reader: the current ones, or in a show with a command gate those at which that gate last
/// opened. [audio]
extension CrossfadeReader {
  /// The oldest generation that may be heard.
  var leastGeneration: Int64 {
    @_noLocks get {
      commands == nil ? shared.pointee.leastGeneration.load(ordering: .acquiring) : gated.leastGeneration
    }
  }

  /// Whether it is set to play.
  var plays: Bool {
    @_noLocks get { commands == nil ? shared.pointee.plays.load(ordering: .acquiring) : gated.plays }
  }

  /// The sample of the timeline at which it begins to play.
  var start: Int64 {
    @_noLocks get { commands == nil ? shared.pointee.start.load(ordering: .relaxed) : gated.start }
  }

  /// All current settings.
  var currentSettings: GatedPlayerSettings {
    @_noLocks get {
      var gated = GatedPlayerSettings()
      gated.leastGeneration = shared.pointee.leastGeneration.load(ordering: .acquiring)
      gated.plays = shared.pointee.plays.load(ordering: .acquiring)
      gated.start = shared.pointee.start.load(ordering: .relaxed)
      gated.volume = shared.pointee.volume.load(ordering: .acquiring)
      gated.volumeBefore = shared.pointee.volumeBefore.load(ordering: .relaxed)
      gated.balance = shared.pointee.balance.load(ordering: .acquiring)
      gated.balanceSamples = shared.pointee.balanceSamples.load(ordering: .relaxed)
      // At most one side is on offer.
      var side = 0
      while side < 2 {
        if sides[side].owner.load(ordering: .acquiring) == CrossfadeSideShared.Owner.offered {
          gated.offer = side
          gated.offerGeneration = sides[side].generation.load(ordering: .relaxed)
        }
        side &+= 1
      }
      return gated
    }
  }
}
