public import Engine
import Synchronization

extension HostServer {
  /// A JACK server, by the name of this client there.
  public static func jack(client: String, _ state: State) -> HostServer {
    HostServer(
      name: "JACK", client: client, state: state, connect: "jack_connect",
      start: "qjackctl, or jackd -d alsa")
  }
}

/// Counters and flags that JACK's threads write. They live as long as the host. Any thread.
struct JackCounters: ~Copyable {
  /// Overruns and underruns since the host was made.
  let xruns = Atomic<UInt64>(0)
  /// When the last cycle began, in nanoseconds of the monotonic clock; 0 before the first.
  let lastCycle = Atomic<UInt64>(0)
  /// The period in samples.
  let period = Atomic<UInt32>(0)
  /// The sample rate in Hz.
  let rate = Atomic<UInt32>(0)
  /// Counts libjack calls that have returned, in work that makes many of them. A thread that waits for this work sees
  /// its progress.
  let steps = Atomic<UInt64>(0)
  /// Since when the control thread has been calling libjack, in nanoseconds of the monotonic clock; 0: it is not.
  let askingSince = Atomic<UInt64>(0)
  /// Whether cycles come as fast as they can.
  let isFreewheeling = Atomic<Bool>(false)
}
