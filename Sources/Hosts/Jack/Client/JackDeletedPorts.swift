import CJack
import System

/// The nodes of libjack's list of ports that belonged to ports that were unregistered.
///
/// libjack's notification thread walks this list without a lock whenever latencies change
/// (`JackClient::HandleLatencyCallback` of jack2, its issue 216). `jack_port_unregister` deletes a node on the thread of
/// the caller. If the walk is at this node, it goes on in freed memory, and the program crashes. A node that is kept
/// still leads to the end of the list. The grace period ends with the next event of a port, because the thread that
/// notifies of events is the one that walks. [jack]
struct JackDeletedPorts: ~Copyable {
  private var nodes = DeferredDeletes()
  private var eventCount: UInt64 = 0

  /// The number of nodes that are kept.
  var count: Int { nodes.count }

  /// Unregisters a port. `events` are those of the port's client.
  mutating func unregister(_ port: OpaquePointer, of client: OpaquePointer, _ events: JackPortEvents) {
    if events.count != eventCount { nodes.free() }
    nodes.collect { _ = jack_port_unregister(client, port) }
    eventCount = events.count
  }
}
