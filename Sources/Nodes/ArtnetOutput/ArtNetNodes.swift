import DMX
import OSC
import Synchronization
import System

/// Finds Art-Net nodes and their port addresses: it polls and listens on a thread of its own while this object
/// exists. [control]
final class ArtNetNodes: Sendable {
  private let search: ArtNetSearch

  /// Starts to poll the network of an interface, given by name or address; nil: all networks of this machine.
  init(interface: String?) {
    search = ArtNetSearch(interface)
    search.start()
  }

  deinit { search.stop() }

  /// The sink for packets of a port address: all nodes that put it out.
  func subscribers(of portAddress: UInt16) -> ArtNetSubscribers { search.subscribers(of: portAddress) }

  /// The sink for ArtSync: the networks that are polled.
  var everybody: ArtNetSubscribers { search.everybody }

  /// The state of the search. [any]
  var state: (text: String, isWell: Bool) { search.state }

  /// The state of each node. [any]
  var reports: [ArtNetDirectory.Report] { search.reports }
}

/// Sends packets to a set of nodes. [frame] sends, [network] changes the set.
final class ArtNetSubscribers: PacketSink {
  /// The port address; nil for packets to all nodes.
  let portAddress: UInt16?
  private let port: DatagramPort?
  private let nodes = Locked<[ArtNetNode]>([])
  /// How often a node joined the set.
  private let ready = Atomic<Int>(0)
  /// Packets that were dropped because the set was being changed.
  private let missed = Atomic<UInt64>(0)

  init(_ portAddress: UInt16?, _ port: DatagramPort?) { (self.portAddress, self.port) = (portAddress, port) }

  /// Replaces the set of nodes. [network]
  func change(to new: [ArtNetNode]) {
    let isMore = nodes.withLock { nodes in
      defer { nodes = new }
      return new.contains { node in !nodes.contains { $0 === node } }
    }
    if isMore { ready.add(1, ordering: .releasing) }
  }

  /// Whether the set is empty. [any]
  var isEmpty: Bool { nodes.withLock { $0.isEmpty } }

  func send(_ packet: UnsafeRawBufferPointer) {
    guard let port else { return }
    let isDone: Void? = nodes.withLockSoon { nodes in
      for node in nodes { node.send(packet, by: port) }
    }
    if isDone == nil { missed.add(1, ordering: .relaxed) }
  }

  var timesReady: Int { ready.load(ordering: .acquiring) }
  var isWell: Bool { true }
  var failed: UInt64 { missed.load(ordering: .relaxed) }
  var state: String { "" }
}

/// An Art-Net node, or all nodes of a network by its broadcast address. [any]
final class ArtNetNode: Sendable {
  let address: IPAddress
  private let peer: DatagramPort.Peer
  private let sent = Atomic<UInt64>(0)
  private let failed = Atomic<UInt64>(0)

  init(_ address: IPAddress) {
    self.address = address
    peer = DatagramPort.Peer(address, port: ArtNetPackets.port)
  }

  /// Sends a packet without blocking; returns 0 or the `errno`. [frame] [network]
  @discardableResult
  func send(_ packet: UnsafeRawBufferPointer, by port: DatagramPort) -> Int32 {
    let error = port.send(packet, to: peer)
    if error == 0 { sent.add(1, ordering: .relaxed) } else { failed.add(1, ordering: .relaxed) }
    return error
  }

  /// Packets sent, and packets that could not be sent. [any]
  var counts: (sent: UInt64, failed: UInt64) {
    (sent.load(ordering: .relaxed), failed.load(ordering: .relaxed))
  }
}
