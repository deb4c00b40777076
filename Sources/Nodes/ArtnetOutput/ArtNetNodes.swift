import DMX
import OSC
import Synchronization
import System

/// The nodes of Art-Net that answer, and which port addresses they put out. It asks for them and hears them on a thread of its
/// own for as long as it is kept. [control]
final class ArtNetNodes: Sendable {
  private let search: ArtNetSearch

  /// Begins to ask: in the network of an interface, by name or address; nil: in all that this machine is in.
  init(interface: String?) {
    search = ArtNetSearch(interface)
    search.start()
  }

  deinit { search.stop() }

  /// Where the packets of a port address go: to all nodes that put it out.
  func subscribers(of portAddress: UInt16) -> ArtNetSubscribers { search.subscribers(of: portAddress) }

  /// Where ArtSync goes: to the networks that are asked.
  var everybody: ArtNetSubscribers { search.everybody }

  /// How the search stands. [any]
  var state: (text: String, isWell: Bool) { search.state }

  /// What there is to say of each node. [any]
  var reports: [ArtNetDirectory.Report] { search.reports }
}

/// Where packets to nodes go. [frame] sends, [network] changes who gets them.
final class ArtNetSubscribers: PacketSink {
  /// The port address; nil: what is for all.
  let portAddress: UInt16?
  private let port: DatagramPort?
  private let nodes = Locked<[ArtNetNode]>([])
  private let ready = Atomic<Int>(0)
  private let missed = Atomic<UInt64>(0)

  init(_ portAddress: UInt16?, _ port: DatagramPort?) { (self.portAddress, self.port) = (portAddress, port) }

  /// Has other nodes get what is sent. [network]
  func change(to new: [ArtNetNode]) {
    let isMore = nodes.withLock { nodes in
      defer { nodes = new }
      return new.contains { node in !nodes.contains { $0 === node } }
    }
    if isMore { ready.add(1, ordering: .releasing) }
  }

  /// Whether nobody gets it. [any]
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

/// A node of Art-Net, or all those of a network: an address that packets go to. [any]
final class ArtNetNode: Sendable {
  let address: IPAddress
  private let peer: DatagramPort.Peer
  private let sent = Atomic<UInt64>(0)
  private let failed = Atomic<UInt64>(0)

  init(_ address: IPAddress) {
    self.address = address
    peer = DatagramPort.Peer(address, port: ArtNetPackets.port)
  }

  /// Sends it a packet, and never blocks; gives 0 or the `errno`. [frame] [network]
  @discardableResult
  func send(_ packet: UnsafeRawBufferPointer, by port: DatagramPort) -> Int32 {
    let error = port.send(packet, to: peer)
    if error == 0 { sent.add(1, ordering: .relaxed) } else { failed.add(1, ordering: .relaxed) }
    return error
  }

  /// How many packets it was sent, and how many did not go. [any]
  var counts: (sent: UInt64, failed: UInt64) {
    (sent.load(ordering: .relaxed), failed.load(ordering: .relaxed))
  }
}
