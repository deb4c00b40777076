import CJack
import Glibc
import Graphs
import System

/// Something that happened to a port of the server, anybody's. Ports are named by the server's numbers.
enum JackEvent: Equatable {
  case registered(UInt32)
  case unregistered(UInt32)
  case renamed(UInt32)
  case connected(UInt32, UInt32)
  case disconnected(UInt32, UInt32)
}

/// The events of one client on their way from the library's notification thread to the host's control thread, in order.
final class JackEvents: @unchecked Sendable {
  private let lock = Lock()
  private var events: [JackEvent] = []
  private let doorbell: UnsafeMutablePointer<sem_t>

  init(doorbell: UnsafeMutablePointer<sem_t>) { self.doorbell = doorbell }

  /// Takes all that have come. [jack]
  func take() -> [JackEvent] {
    lock.withLock {
      let taken = events
      events = []
      return taken
    }
  }

  /// [notice]
  private func add(_ event: JackEvent) {
    lock.withLock { events.append(event) }
    sem_post(doorbell)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> JackEvents? {
    context.map { Unmanaged<JackEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Asks the library to tell us. The client must be closed before `self` goes away. [jack]
  func install(on client: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    jack_set_port_registration_callback(
      client,
      { port, isNew, context in
        JackEvents.at(context)?.add(isNew != 0 ? .registered(port) : .unregistered(port))
      },
      context)
    jack_set_port_rename_callback(
      client, { port, _, _, context in JackEvents.at(context)?.add(.renamed(port)) }, context)
    jack_set_port_connect_callback(
      client,
      { a, b, isMade, context in
        JackEvents.at(context)?.add(isMade != 0 ? .connected(a, b) : .disconnected(a, b))
      },
      context)
  }
}
