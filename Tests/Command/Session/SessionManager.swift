import Glibc
import OSC
import System
import TestSupport

/// A session manager of the tests, after the NSM API 1.1.2 and strict with its clients: real OSC by UDP on the
/// loopback.
final class SessionManager: Sendable {
  /// A message of the client, in the order they came.
  struct Heard: Equatable {
    let address: String
    let values: [Argument]
  }

  private struct State {
    var peer: sockaddr_in?
    var heard: [Heard] = []
    var faults: [String] = []
    /// Requests that an answer is due to, in order.
    var due: [String] = []
    var process: Int32?
  }

  /// What `NSM_URL` has to say.
  let url: String
  private let descriptor: Int32
  private let state = Locked(State())
  private let thread = Locked<TestThread?>(nil)
  /// Whether the client is welcome.
  private let refusal: String?

  init(refusing refusal: String? = nil) throws {
    self.refusal = refusal
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else { throw Child.Failure(description: "no socket") }
    self.descriptor = descriptor
    // As liblo writes it, with the slash behind.
    url = "osc.udp://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/"
    thread.withLock { thread in
      thread = TestThread { [weak self] in SessionManager.listen(descriptor) { self } }
    }
  }

  private static func listen(_ descriptor: Int32, _ manager: () -> SessionManager?) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isThere = poll(&wanted, 1, 50) == 1
      guard let manager = manager() else { break }
      guard isThere else { continue }
      var peer = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let size = withUnsafeMutablePointer(to: &peer) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
        }
      }
      if size > 0 { manager.take(Array(buffer[..<size]), from: peer) }
    }
    close(descriptor)
  }

  // MARK: - What the client says

  private func take(_ bytes: [UInt8], from peer: sockaddr_in) {
    guard let message = try? PacketReader().read(bytes).messages.first else {
      return state.withLock { $0.faults.append("no OSC: \(bytes)") }
    }
    let isNew = state.withLock { state -> Bool in
      state.heard.append(Heard(address: message.address, values: message.arguments))
      if let known = state.peer, known.sin_port != peer.sin_port { state.faults.append("two sockets") }
      if let fault = Self.fault(in: message, &state) { state.faults.append(fault) }
      guard message.address == "/nsm/server/announce" else { return false }
      state.peer = peer
      return true
    }
    guard isNew else { return }
    if let refusal {
      send("/error", .string("/nsm/server/announce"), .int(-3), .string(refusal))
    } else {
      send(
        "/reply", .string("/nsm/server/announce"), .string("hello"), .string("Test Manager"),
        .string(":server-control:broadcast:optional-gui:"))
    }
  }

  /// What of a message is against the API; nil: nothing.
  private static func fault(in message: Message, _ state: inout State) -> String? {
    let values = message.arguments
    func isText(_ place: Int) -> Bool {
      if place < values.count, case .string = values[place] { true } else { false }
    }
    func number(_ place: Int) -> Int32? {
      if place < values.count, case .int(let number) = values[place] { number } else { nil }
    }
    switch message.address {
    case "/nsm/server/announce":
      guard values.count == 6, isText(0), isText(1), isText(2), number(3) == 1, number(4) ?? 9 <= 1,
        let process = number(5)
      else { return "announce: \(values)" }
      if state.peer != nil { return "announced twice" }
      if case .string(let text) = values[1], text.first != ":" || text.last != ":" {
        return "capabilities: \(text)"
      }
      state.process = process
    case "/reply", "/error":
      let isError = message.address == "/error"
      guard case .string(let request)? = values.first, values.count == (isError ? 3 : 2),
        isText(isError ? 2 : 1), !isError || number(1) ?? 0 < 0
      else { return "\(message.address): \(values)" }
      guard state.due.first == request else { return "an answer to \(request), due are \(state.due)" }
      state.due.removeFirst()
    case "/nsm/client/progress":
      guard values.count == 1, case .float(let part) = values[0], (0...1).contains(part) else {
        return "progress: \(values)"
      }
    case "/nsm/client/is_dirty", "/nsm/client/is_clean", "/nsm/client/gui_is_shown",
      "/nsm/client/gui_is_hidden":
      if !values.isEmpty { return "\(message.address): \(values)" }
    case "/nsm/client/message":
      guard values.count == 2, (0...3).contains(number(0) ?? 9), isText(1) else {
        return "message: \(values)"
      }
    case "/nsm/client/label":
      if values.count != 1 || !isText(0) { return "label: \(values)" }
    default: return "unknown: \(message.address)"
    }
    return nil
  }

  // MARK: - What the manager says

  private func send(_ address: String, _ arguments: Argument...) {
    guard var peer = state.withLock({ $0.peer }),
      let packet = try? Message(address, arguments: arguments).packet()
    else { return }
    _ = withUnsafePointer(to: &peer) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Has the client open a project; gives what it answers.
  func open(_ path: String, name: String, client: String) -> Heard? {
    ask("/nsm/client/open", .string(path), .string(name), .string(client))
  }

  /// Has it save; gives what it answers.
  func save() -> Heard? { ask("/nsm/client/save") }

  /// Wants its pages to be seen, or not.
  func show(_ isShown: Bool) {
    send(isShown ? "/nsm/client/show_optional_gui" : "/nsm/client/hide_optional_gui")
  }

  /// Whether it has said of its pages what they are now.
  func sees(_ isShown: Bool) -> Bool {
    poll(within: 60) {
      heard.last { $0.address.hasPrefix("/nsm/client/gui_is_") }?.address
        == "/nsm/client/gui_is_" + (isShown ? "shown" : "hidden")
    }
  }

  /// Sends it that all clients are there.
  func sayLoaded() { send("/nsm/client/session_is_loaded") }

  private func ask(_ address: String, _ arguments: Argument...) -> Heard? {
    let before = state.withLock { state in
      state.due.append(address)
      return state.heard.count
    }
    guard poll(until: { self.state.withLock { $0.peer != nil } }) else { return nil }
    guard var peer = state.withLock({ $0.peer }),
      let packet = try? Message(address, arguments: arguments).packet()
    else { return nil }
    _ = withUnsafePointer(to: &peer) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var answer: Heard?
    _ = poll {
      answer = heard.dropFirst(before).first { heard in
        ["/reply", "/error"].contains(heard.address) && heard.values.first == .string(address)
      }
      return answer != nil
    }
    return answer
  }

  /// All that came, in order.
  var heard: [Heard] { state.withLock { $0.heard } }

  /// What was against the API.
  var faults: [String] { state.withLock { $0.faults } }

  /// The process that has announced itself.
  var process: Int32? { state.withLock { $0.process } }
}
