import CDbus
import DBus
import Synchronization
import System

/// The thread of a `ServiceAnnouncement`. [announcement]
///
/// [control] makes it; `end`, `name` and `isOver` are for [any].
final class AnnouncementThread: Sendable {
  /// The pause before a bus that has gone is tried again, in seconds.
  static let pause = 10.0
  /// The timeout for the bus's first reply, in seconds.
  static let replyTimeout = 10.0

  private let address: String
  private let wanted: String
  private let services: [AnnouncedService]
  private let hostNameChanged: @Sendable (String?) -> Void
  private let nameChanged: @Sendable (String) -> Void
  /// Readable once the thread is to end.
  private let wakePipe: WakePipe
  private let isEnding = Atomic<Bool>(false)
  private let given = Locked<String?>(nil)
  private let over = Atomic<Bool>(false)

  /// Nil where the process has no file descriptor left.
  init?(
    address: String, name: String, services: [AnnouncedService],
    hostNameChanged: @escaping @Sendable (String?) -> Void, nameChanged: @escaping @Sendable (String) -> Void
  ) {
    (self.address, wanted, self.services) = (address, name, services)
    (self.hostNameChanged, self.nameChanged) = (hostNameChanged, nameChanged)
    guard let wakePipe = WakePipe() else { return nil }
    self.wakePipe = wakePipe
  }

  /// The name under which the services are known; nil while they are not.
  var name: String? { given.withLock { $0 } }

  /// Whether the thread has ended.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Asks the thread to end.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wakePipe.wake()
  }

  // MARK: - On the thread

  /// Connects to the bus again and again, until the thread is to end.
  func run() {
    defer { over.store(true, ordering: .releasing) }
    var last: String?
    while mayGoOn {
      let group = AvahiGroup(wanted, services, hostNameChanged: hostNameChanged) { [self] name in
        given.withLock { $0 = name }
        if let name, name != last {
          last = name
          nameChanged(name)
        }
      }
      if let bus = BusConnection(address: address, received: { group.receive($0) }) {
        group.bus = bus
        follow(bus, group)
      }
      given.withLock { $0 = nil }
      if mayGoOn { wakePipe.wait(seconds: Self.pause) }
    }
  }

  private var mayGoOn: Bool { !isEnding.load(ordering: .acquiring) }

  /// Handles messages until the bus has gone.
  private func follow(_ bus: BusConnection, _ group: AvahiGroup) {
    group.sayHello()
    let deadline = MonotonicClock.seconds + Self.replyTimeout
    while mayGoOn {
      let wait = group.isGreeted ? 60 : deadline - MonotonicClock.seconds
      guard wait > 0, bus.processEvents(wakeDescriptor: wakePipe.descriptor, seconds: wait) else { return }
    }
  }
}

/// The services as an entry group of Avahi's daemon, which may come, go, hang and restart. No call waits: each reply
/// leads to the next step. On the announcement's thread only. [announcement]
final class AvahiGroup {
  /// The most names that are tried until the daemon restarts.
  static let mostAttempts = 99

  /// The connection to the bus.
  unowned var bus: BusConnection!
  /// Whether the bus has replied to `Hello`.
  private(set) var isGreeted = false

  private let wanted: String
  private let services: [AnnouncedService]
  private let hostNameChanged: (String?) -> Void
  private let established: (String?) -> Void
  private var attempt = 1
  /// The object path of the entry group; nil: none.
  private var path: String?
  /// The bus name of the daemon that made the group.
  private var maker: String?
  /// The serial numbers of the calls whose replies are awaited.
  private var hello: UInt32?
  private var making: UInt32?
  private var naming: UInt32?
  private var filling: Set<UInt32> = []

  /// `established` is called with the name under which the services are known, and with nil when they are not known
  /// any more. `hostNameChanged` is called with this machine's name in its network, and with nil when that is not known
  /// any more.
  init(
    _ name: String, _ services: [AnnouncedService], hostNameChanged: @escaping (String?) -> Void = { _ in },
    established: @escaping (String?) -> Void
  ) {
    (wanted, self.services) = (name, services)
    (self.hostNameChanged, self.established) = (hostNameChanged, established)
  }

  /// Registers the connection with the bus.
  func sayHello() { hello = bus.send(BusMessage.ask("Hello")) }

  private var name: String { ServiceName.name(wanted, attempt: attempt) }

  /// Requests an entry group from the daemon.
  private func begin() {
    (path, filling, attempt) = (nil, [], 1)
    established(nil)
    making = bus.send(AvahiMessage.newGroup())
    naming = bus.send(AvahiMessage.hostName())
  }

  private func fill() {
    guard let path else { return }
    filling = []
    for service in services {
      let interface = service.interface.map { NetworkInterface.index(of: $0) } ?? -1
      // A service for one network is not announced on others where that network is gone.
      guard let interface else { continue }
      if let number = bus.send(AvahiMessage.add(service, as: name, interface: interface, to: path)) {
        filling.insert(number)
      }
    }
    if let number = bus.send(AvahiMessage.commit(path)) { filling.insert(number) }
  }

  /// Tries the next name, because another service has this one.
  private func rename() {
    established(nil)
    filling = []
    guard let path, attempt < Self.mostAttempts else { return }
    attempt += 1
    bus.send(AvahiMessage.reset(path))
    fill()
  }

  /// Handles a message.
  func receive(_ message: OpaquePointer) {
    let number = dbus_message_get_reply_serial(message)
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: answered(number, BusCall(message), AvahiGroup.sender(of: message))
    case DBUS_MESSAGE_TYPE_ERROR:
      let code = dbus_message_get_error_name(message).map { String(cString: $0) } ?? ""
      refused(number, code)
    case DBUS_MESSAGE_TYPE_SIGNAL: happened(message, BusCall(message))
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      if dbus_message_get_no_reply(message) == 0 {
        bus.send(dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_METHOD, "nothing is offered here"))
      }
    default: break
    }
  }

  private func answered(_ number: UInt32, _ answer: BusCall, _ sender: String?) {
    if number == hello, case .text(let unique)?? = answer.arguments.first {
      isGreeted = true
      bus.setUniqueName(unique)
      // The signals are subscribed to before the daemon is asked, so that no daemon that starts meanwhile is missed.
      for rule in [
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(AvahiMessage.daemon)'",
        "type='signal',sender='\(AvahiMessage.daemon)',interface='\(AvahiMessage.group)',member='StateChanged'",
        "type='signal',sender='\(AvahiMessage.daemon)',interface='\(AvahiMessage.server)',member='StateChanged'",
      ] {
        bus.send(BusMessage.ask("AddMatch", [.text(rule)]))
      }
      begin()
    } else if number == making, case .object(let object)?? = answer.arguments.first {
      (making, path, maker) = (nil, object, sender)
      fill()
    } else if number == naming {
      naming = nil
      if case .text(let host)?? = answer.arguments.first { hostNameChanged(host) }
    } else {
      filling.remove(number)
    }
  }

  private func refused(_ number: UInt32, _ code: String) {
    // Without a daemon the call fails; the bus reports a daemon that starts.
    if number == making { making = nil }
    // On a collision, a service of this machine has the name. Other errors cannot be resolved here.
    if filling.contains(number), code == AvahiMessage.daemon + ".CollisionError" { rename() }
  }

  private func happened(_ message: OpaquePointer, _ signal: BusCall) {
    let sender = AvahiGroup.sender(of: message)
    switch signal.member {
    case "NameOwnerChanged":
      // Only the bus itself can send from this name.
      guard sender == "org.freedesktop.DBus", signal.arguments.count == 3,
        signal.arguments[0] == .text(AvahiMessage.daemon)
      else { return }
      if signal.arguments[2] == .text("") {
        (path, making, naming, filling) = (nil, nil, nil, [])
        established(nil)
        hostNameChanged(nil)
      } else {
        begin()
      }
    // Any client of the bus may send a signal to any other.
    case "StateChanged" where path != nil && sender == maker && signal.interface == AvahiMessage.group:
      guard signal.path == path else { return }
      switch AvahiGroup.state(in: message) {
      case 2: established(name)
      case 3: rename()
      default: established(nil)
      }
    case "StateChanged" where path != nil && sender == maker && signal.interface == AvahiMessage.server:
      hostChanged(AvahiGroup.state(in: message))
    default: break
    }
  }

  /// Handles a change of the machine's name in its network, which belongs to the records of services. The state is
  /// Avahi's: 1 registering, 2 running, 3 collision.
  private func hostChanged(_ state: Int32?) {
    guard let path, let state, 1...3 ~= state else { return }
    bus.send(AvahiMessage.reset(path))
    (filling, attempt) = ([], 1)
    established(nil)
    if state == 2 {
      fill()
      naming = bus.send(AvahiMessage.hostName())
    }
  }

  private static func sender(of message: OpaquePointer) -> String? {
    dbus_message_get_sender(message).map { String(cString: $0) }
  }

  /// The first argument, Avahi's state of a group: 0 uncommitted, 1 registering, 2 established, 3 collision, 4
  /// failure.
  private static func state(in message: OpaquePointer) -> Int32? {
    var place = DBusMessageIter()
    guard dbus_message_iter_init(message, &place) != 0,
      dbus_message_iter_get_arg_type(&place) == Int32(UInt8(ascii: "i"))
    else { return nil }
    var state: Int32 = 0
    dbus_message_iter_get_basic(&place, &state)
    return state
  }
}

/// The names of services, in the order in which they are tried. [any]
enum ServiceName {
  /// The most bytes of a DNS label.
  static let longest = 63

  /// A name without control and invisible characters, cut to the length of a label.
  static func sendable(_ name: String, longest: Int = Self.longest) -> String {
    let letters = name.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20 && $0.value != 0x7F
    }
    let text = BusValue.cut(letters, to: longest)
    return text.isEmpty ? "visgraph" : text
  }

  /// The name for an attempt, from 1 on: `Show`, `Show #2`, `Show #3`, as Avahi counts.
  static func name(_ name: String, attempt: Int) -> String {
    guard attempt > 1 else { return sendable(name) }
    let suffix = " #\(attempt)"
    return sendable(name, longest: longest - suffix.utf8.count) + suffix
  }
}
