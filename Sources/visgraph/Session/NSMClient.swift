import Glibc
import OSC
import System

/// A client of a session manager (NSM API 1.1.2). The manager starts this process, names the project and the JACK
/// client, and asks to save or to change the project. [control]
///
/// API: linuxaudio/new-session-manager, docs/api. Messages are OSC by UDP; `NSM_URL` is the manager's address.
final class NSMClient {
  /// A project that the manager asks to open.
  struct Project: Equatable {
    /// The path of the project's folder, which belongs to this client alone.
    var path: String
    /// The display name of the session.
    var name: String
    /// The name for the JACK client.
    var client: String
  }

  /// Error codes of the API.
  enum Fault: Int32 {
    case general = -1
    case noSuchFile = -5
    case notNow = -8
    case badProject = -9
    case createFailed = -10
  }

  struct SessionError: Error, CustomStringConvertible {
    let description: String
  }

  /// The version of the API.
  private static let version: (major: Int32, minor: Int32) = (1, 1)
  /// Capabilities beyond those of every client: open another project without a restart (switch), report unsaved
  /// settings (dirty) and progress, send messages, and show or hide the pages (optional-gui).
  private static let capabilities = ":switch:dirty:progress:message:optional-gui:"

  private let exchange: PacketExchange
  private let url: String
  /// The manager's name, once it has answered.
  private(set) var manager: String?
  /// The project to open, until `takeProject`.
  private var requestedProject: Project?
  /// Whether the last report to the manager was that settings are unsaved.
  private var isDirty = false
  /// Whether the last report to the manager was that pages are shown.
  private var isShown = false
  /// The last request to show (true) or hide pages, until `takeShown`.
  private var shownAsked: Bool?
  /// Whether a request to save has no answer yet.
  private var isSaveAsked = false

  /// Makes a socket to the manager at `url`; sends nothing yet.
  init(_ url: String) throws(SessionError) {
    self.url = url
    do {
      exchange = try PacketExchange(try Endpoint(url))
    } catch {
      throw SessionError(description: "NSM_URL \(url): \(error)")
    }
  }

  // MARK: - To the manager

  private func send(_ address: String, _ arguments: Argument...) {
    // Never fails: `text` has replaced NUL, which OSC strings cannot hold.
    if let packet = try? Message(address, arguments: arguments).packet() { exchange.send(packet) }
  }

  /// An OSC string of at most 1000 characters, with spaces in place of NUL.
  private static func text(_ text: String) -> Argument {
    .string(String(text.prefix(1000).map { $0 == "\0" ? " " : $0 }))
  }

  /// Announces this client and waits for the answer, at most 10 s. False if an end was asked for meanwhile.
  func announce(as program: String, until isOver: () -> Bool) throws(SessionError) -> Bool {
    send(
      "/nsm/server/announce", .string("visgraph"), .string(Self.capabilities), Self.text(program),
      .int(Self.version.major), .int(Self.version.minor), .int(getpid()))
    let deadline = Deadline.after(seconds: 10)
    while manager == nil {
      if isOver() { return false }
      if deadline.isOver { throw SessionError(description: "the session manager at \(url) does not answer") }
      if let refusal = take(within: 0.1) { throw SessionError(description: refusal) }
    }
    send("/nsm/client/gui_is_hidden")
    return true
  }

  /// Replies to `open`: the project is open.
  func opened(_ project: Project, label: String) {
    send("/nsm/client/progress", .float(1))
    send("/reply", .string("/nsm/client/open"), Self.text("\(project.name) is open"))
    send("/nsm/client/label", Self.text(label))
    isDirty = false
    send("/nsm/client/is_clean")
  }

  /// Replies to `open` with an error.
  func refuseOpen(_ fault: Fault, _ reason: String) {
    send("/error", .string("/nsm/client/open"), .int(fault.rawValue), Self.text(reason))
  }

  /// Replies to `save`; `fault` says why it failed, nil: it succeeded.
  func saved(_ fault: String?) {
    isSaveAsked = false
    if let fault {
      send("/error", .string("/nsm/client/save"), .int(Fault.general.rawValue), Self.text(fault))
      tell(fault)
    } else {
      send("/reply", .string("/nsm/client/save"), .string("saved"))
    }
  }

  /// Reports the progress of opening, 0…1.
  func progress(_ part: Float) { send("/nsm/client/progress", .float(part)) }

  /// Reports whether settings are unsaved, when that changes.
  func note(isDirty now: Bool) {
    guard now != isDirty else { return }
    isDirty = now
    send(now ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
  }

  /// Reports whether pages are shown, when that changes.
  func note(isShown now: Bool) {
    guard now != isShown else { return }
    isShown = now
    send(now ? "/nsm/client/gui_is_shown" : "/nsm/client/gui_is_hidden")
  }

  /// Shows a message to the user.
  func tell(_ text: String) { send("/nsm/client/message", .int(2), Self.text(text)) }

  // MARK: - From the manager

  /// Waits for a project to open; nil if an end was asked for.
  func nextProject(until isOver: () -> Bool) -> Project? {
    while !isOver() {
      if let project = takeProject() { return project }
      _ = take(within: 0.1)
      // No project is open, but the manager waits for an answer to `save`.
      if isSaveAsked { saved(nil) }
    }
    return nil
  }

  /// Returns the project to open and clears the request.
  func takeProject() -> Project? {
    defer { requestedProject = nil }
    return requestedProject
  }

  /// Whether there is a project to open.
  var hasProject: Bool { requestedProject != nil }

  /// Whether the manager has asked to show (true) or hide pages since the last call; nil: neither.
  func takeShown() -> Bool? {
    defer { shownAsked = nil }
    return shownAsked
  }

  /// Reads waiting packets. Returns whether a save is asked for; a project to open waits for `takeProject`.
  func poll() -> Bool {
    // The limit keeps a flood of packets from blocking the show.
    for _ in 0..<64 { if take(within: 0) != nil || !hasMore { break } }
    return isSaveAsked
  }

  /// Whether the last `take` has received a packet.
  private var hasMore = false

  /// Takes the next packet. Returns the manager's reason if it refuses this client.
  private func take(within seconds: Double) -> String? {
    guard let bytes = exchange.receive(within: seconds) else {
      hasMore = false
      return nil
    }
    hasMore = true
    for message in (try? PacketReader().read(bytes))?.messages ?? [] {
      if let refusal = take(message) { return refusal }
    }
    return nil
  }

  private func take(_ message: Message) -> String? {
    let texts = message.arguments.map { argument -> String? in
      if case .string(let text) = argument { text } else { nil }
    }
    switch message.address {
    case "/reply" where texts.first == "/nsm/server/announce":
      manager = texts.count > 2 ? texts[2] ?? "" : ""
    case "/error" where texts.first == "/nsm/server/announce":
      return "the session manager refuses us: \(texts.last.flatMap { $0 } ?? "")"
    case "/nsm/client/open":
      guard texts.count == 3, let path = texts[0], let name = texts[1], let client = texts[2], !path.isEmpty,
        !client.isEmpty
      else {
        refuseOpen(.general, "open takes a path, a name and a client id")
        return nil
      }
      requestedProject = Project(path: path, name: name, client: client)
    case "/nsm/client/save": isSaveAsked = true
    case "/nsm/client/show_optional_gui": shownAsked = true
    case "/nsm/client/hide_optional_gui": shownAsked = false
    // Connections are made when ports appear, so `session_is_loaded` needs no action; unknown messages are ignored.
    default: break
    }
    return nil
  }
}
