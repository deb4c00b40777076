import Engine
import System

/// What a live run takes its time from: the clocks of the system and a host of its own, unless the process that carries
/// it out advances it step by step. [control]
struct RunPace: Sendable {
  /// The steps of a run that is advanced from outside.
  struct Steps: Sendable {
    /// Makes the host of a sample rate in Hz, which takes the place of the one that the options ask for.
    var host: @Sendable (Show, _ rate: Int) -> any Host
    /// Where packets go.
    var packets: StreamConfiguration.Packets
    /// Waits for the next round of the control thread; is given the run.
    var wait: @Sendable (_ run: any AnyObject & Sendable) -> Void
  }

  /// Nil: the run goes by itself.
  var steps: Steps?
  /// Seconds of a clock that is never set. [any]
  var seconds: @Sendable () -> Double = { MonotonicClock.seconds }
  /// Seconds since 1970, UTC, rounded down. [any]
  var second: @Sendable () -> Int = { WallClock.second }
  /// The local time at such a second, as `WallClock.local` counts. [any]
  var local: @Sendable (_ second: Int) -> Int = { WallClock.local(at: $0) }
}
