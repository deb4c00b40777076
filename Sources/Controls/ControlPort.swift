import CRealtime
import Graphs
public import Hosts
public import OSC
import Synchronization

/// The control port: takes OSC by UDP and TCP on this machine alone, has it done, and answers.
///
/// It has one thread of its own, and nothing that comes can stop it: what it cannot read or do is answered with
/// `/visgraph/error ,ss address reason`.
public final class ControlPort: @unchecked Sendable {
  /// The port that is taken where none is asked for; where somebody has it, the next that is free.
  public static let standard: UInt16 = 7770
  /// How many ports are tried.
  static let tries: UInt16 = 100
  /// Messages a second that are obeyed; of more only those that make it dark or bright.
  static let messagesPerSecond = 5000.0
  /// Errors a second that are answered.
  static let errorsPerSecond = 50.0

  /// Which port.
  public enum Choice: Equatable, Sendable {
    /// The standard one, or the next that is free.
    case standard
    /// This one.
    case port(UInt16)
    /// None.
    case off
  }

  /// Where it is, such as `127.0.0.1:7770`.
  public var name: String { "127.0.0.1:\(server.port)" }

  private let server: PacketServer
  private let show: Show
  private let desk: Desk
  private let folders: AllowedFolders
  private let host: @Sendable () -> HostFacts
  private let isClosing = Atomic<Bool>(false)
  private let errors = Mutex(Allowance(perSecond: errorsPerSecond, atOnce: errorsPerSecond))
  private var thread: OSThread?
  // Those of the port's own thread.
  private var messages = Allowance(perSecond: messagesPerSecond, atOnce: messagesPerSecond)
  private var answers = Allowance(perSecond: 20, atOnce: 20)

  /// Opens a port and begins to listen; nil where none is wanted.
  ///
  /// - Parameters:
  ///   - desk: where commands go.
  ///   - folders: where files may lie that messages name.
  ///   - host: how the host stands. Any thread.
  /// - Throws: why the port cannot be had.
  public static func open(
    _ choice: Choice, show: Show, desk: Desk, folders: AllowedFolders,
    host: @escaping @Sendable () -> HostFacts
  ) throws(ListenFault) -> ControlPort? {
    let server: PacketServer
    switch choice {
    case .off: return nil
    case .port(let port): server = try PacketServer(port: port)
    case .standard: server = try PacketServer.first(freeIn: standard...standard + tries - 1)
    }
    return ControlPort(server, show, desk, folders, host)
  }

  private init(
    _ server: PacketServer, _ show: Show, _ desk: Desk, _ folders: AllowedFolders,
    _ host: @escaping @Sendable () -> HostFacts
  ) {
    self.server = server
    self.show = show
    self.desk = desk
    self.folders = folders
    self.host = host
    thread = OSThread(name: "control", priority: 0) { [self] in
      while !isClosing.load(ordering: .acquiring) {
        server.turn(milliseconds: 500) { peer, packet in take(packet, from: peer) }
      }
    }
  }

  /// Ends it; nothing is obeyed afterwards.
  public func close() {
    isClosing.store(true, ordering: .releasing)
    server.wake()
    thread?.join()
    thread = nil
  }

  private func take(_ packet: Result<[UInt8], OSCFault>, from peer: PacketPeer) {
    do throws(OSCFault) {
      let read = try PacketReader().read(try packet.get())
      // In order, and at once: time tags are for receivers that know what is to come.
      for message in read.messages { take(message, from: peer) }
    } catch {
      refuse(peer, "", .packet(error))
    }
  }

  private func take(_ message: Message, from peer: PacketPeer) {
    let address = message.address
    // What another visgraph answers, should two ever talk to each other, is not answered again.
    if address == "/visgraph/error" || address.hasPrefix("/visgraph/status/") { return }
    let isAllowed = messages.take(at: now())
    guard isAllowed || address == "/visgraph/blackout" || address == "/visgraph/master" else {
      return refuse(
        peer, address,
        .tooMuch(
          "more than \(Int(Self.messagesPerSecond)) messages came within a second; this one is left out"))
    }
    guard let graph = show.plan?.graph else { return refuse(peer, address, .notRunning) }
    let view = ControlView(
      graph: graph, players: show.players.map(\.id), banks: show.soundBanks.map(\.id), folders: folders)
    do throws(ControlFault) {
      for request in try CommandReader(view: view).requests(message) {
        switch request {
        case .command(let command):
          desk.obey(command) { [weak self] in self?.refuse(peer, address, $0) }
        case .status: answer(peer, address)
        }
      }
    } catch {
      refuse(peer, address, error)
    }
  }

  private func answer(_ peer: PacketPeer, _ address: String) {
    guard answers.take(at: now()) else {
      return refuse(peer, address, .tooMuch("the status is told at most 20 times a second"))
    }
    for message in StatusAnswer.messages(show, host(), fades: desk.fades.facts) { send(message, to: peer) }
  }

  /// Tells a sender why something is refused, unless it was told so much already. Any thread.
  private func refuse(_ peer: PacketPeer, _ address: String, _ fault: ControlFault) {
    let time = now()
    guard errors.withLock({ $0.take(at: time) }) else { return }
    let reason = "\(String(fault.description.prefix(1500))) [\(fault.code)]".replacing("\0", with: " ")
    send(
      Message(
        "/visgraph/error", .string(String(address.prefix(CommandReader.addressLimit))), .string(reason)),
      to: peer)
  }

  private func send(_ message: Message, to peer: PacketPeer) {
    guard let packet = try? message.packet() else { return }
    server.send(packet, to: peer)
  }

  /// Seconds of the monotonic clock.
  private func now() -> Double { Double(vg_now()) / 1e9 }
}
