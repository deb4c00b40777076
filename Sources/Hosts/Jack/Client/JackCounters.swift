public import Engine
import Synchronization

extension HostServer {
  /// A JACK server, by the client's name there.
  public static func jack(client: String, _ state: State) -> HostServer {
    HostServer(
      name: "JACK", client: client, state: state, connect: "jack_connect",
      start: "qjackctl, or jackd -d alsa")
  }
}

/// What JACK's threads report of a host: numbers and flags that live as long as the host does. Any thread.
struct JackCounters: ~Copyable {
  /// Overruns and underruns since the host was made.
  let xruns = Atomic<UInt64>(0)
  /// When the last cycle began, in nanoseconds of the monotonic clock; 0 before the first.
  let lastCycle = Atomic<UInt64>(0)
  /// Samples in a cycle.
  let period = Atomic<UInt32>(0)
  /// Samples a second.
  let rate = Atomic<UInt32>(0)
  /// Counts calls of the library that came back, where many follow each other: the thread that waits for them sees that they
  /// get on.
  let steps = Atomic<UInt64>(0)
  /// Since when the control thread has been asking the library for something, in nanoseconds of the monotonic clock; 0
  /// while it is not.
  let askingSince = Atomic<UInt64>(0)
  /// Whether cycles come as fast as they can.
  let isFreewheeling = Atomic<Bool>(false)
}
