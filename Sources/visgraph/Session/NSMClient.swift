import Glibc
import OSC
import System

/// A client of a session manager, by the NSM API 1.1.2: the manager starts us, says which project to open under which name,
/// when to save it, and when to change to another. [control]
///
/// The API: linuxaudio/new-session-manager, docs/api. Messages are OSC by UDP, at the URL that `NSM_URL` has.
final class NSMClient {
  /// What the manager asks us to open.
  struct Project: Equatable {
    /// Where all of it lies: a folder of this name is ours.
    var path: String
    /// What people call the session.
    var name: String
    /// What we are to be called in JACK.
    var client: String
  }

  /// Numbers that the API gives to what goes wrong.
  enum Fault: Int32 {
    case general = -1
    case noSuchFile = -5
    case notNow = -8
    case badProject = -9
    case createFailed = -10
  }

  /// Why there is no session.
  struct SessionError: Error, CustomStringConvertible {
    let description: String
  }

  private static let version: (major: Int32, minor: Int32) = (1, 1)
  /// What we can do besides what every client can: open another project without being started anew, say that something is
  /// unsaved, report how far we are, show people something, and show pages or not.
  private static let capabilities = ":switch:dirty:progress:message:optional-gui:"

  private let exchange: PacketExchange
  private let url: String
  /// What the manager is called, once it has answered.
  private(set) var manager: String?
  /// What the manager has asked us to open, until it is looked at.
  private var asked: Project?
  private var isDirty = false
  /// Whether the manager was sent that pages are seen.
  private var isShown = false
  /// Whether the manager wants pages to be seen, or not, until it is looked at.
  private var shownAsked: Bool?
  /// Whether the manager wants to hear that what is open has been saved.
  private var isSaveAsked = false

  /// A way to the manager of a URL.
  init(_ url: String) throws(SessionError) {
    self.url = url
    do {
      exchange = try PacketExchange(try Endpoint(url))
    } catch {
      throw SessionError(description: "NSM_URL \(url): \(error)")
    }
  }

  // MARK: - What we say

  private func send(_ address: String, _ arguments: Argument...) {
    // Texts that OSC cannot hold have none of their zeros by now.
    if let packet = try? Message(address, arguments: arguments).packet() { exchange.send(packet) }
  }

  private static func text(_ text: String) -> Argument {
    .string(String(text.prefix(1000).map { $0 == "\0" ? " " : $0 }))
  }

  /// Announces the client to the manager, and waits until it has answered; false where an end was asked for meanwhile.
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

  /// The project is open: the manager may go on with the session.
  func opened(_ project: Project, label: String) {
    send("/nsm/client/progress", .float(1))
    send("/reply", .string("/nsm/client/open"), Self.text("\(project.name) is open"))
    send("/nsm/client/label", Self.text(label))
    isDirty = false
    send("/nsm/client/is_clean")
  }

  /// It cannot be opened.
  func refuseOpen(_ fault: Fault, _ reason: String) {
    send("/error", .string("/nsm/client/open"), .int(fault.rawValue), Self.text(reason))
  }

  /// What was open has been saved, or not: then why.
  func saved(_ fault: String?) {
    isSaveAsked = false
    if let fault {
      send("/error", .string("/nsm/client/save"), .int(Fault.general.rawValue), Self.text(fault))
      tell(fault)
    } else {
      send("/reply", .string("/nsm/client/save"), .string("saved"))
    }
  }

  /// How far the opening is, 0…1.
  func progress(_ part: Float) { send("/nsm/client/progress", .float(part)) }

  /// Whether something is unsaved; the manager is notified when that changes.
  func note(isDirty now: Bool) {
    guard now != isDirty else { return }
    isDirty = now
    send(now ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
  }

  /// Whether pages are seen; the manager is notified when that changes.
  func note(isShown now: Bool) {
    guard now != isShown else { return }
    isShown = now
    send(now ? "/nsm/client/gui_is_shown" : "/nsm/client/gui_is_hidden")
  }

  /// Shows people something that they should know.
  func tell(_ text: String) { send("/nsm/client/message", .int(2), Self.text(text)) }

  // MARK: - What we hear

  /// Waits for the project to open; nil where an end was asked for.
  func nextProject(until isOver: () -> Bool) -> Project? {
    while !isOver() {
      if let project = takeProject() { return project }
      _ = take(within: 0.1)
      // Nothing is open that could be saved; the manager waits for an answer all the same.
      if isSaveAsked { saved(nil) }
    }
    return nil
  }

  /// What the manager has asked us to open since the last call.
  func takeProject() -> Project? {
    defer { asked = nil }
    return asked
  }

  /// Whether there is one.
  var hasProject: Bool { asked != nil }

  /// Whether the manager has asked for pages to be seen, or not, since the last call; nil: for neither.
  func takeShown() -> Bool? {
    defer { shownAsked = nil }
    return shownAsked
  }

  /// Hears what has come. Whether what is open is to be saved; a project to open is there for `takeProject`.
  func poll() -> Bool {
    // A flood is not to keep the show from going on.
    for _ in 0..<64 { if take(within: 0) != nil || !hasMore { break } }
    return isSaveAsked
  }

  /// Whether the last call of `take` has found something.
  private var hasMore = false

  /// Takes the next packet; gives why we are not wanted where that is what it says.
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
      asked = Project(path: path, name: name, client: client)
    case "/nsm/client/save": isSaveAsked = true
    case "/nsm/client/show_optional_gui": shownAsked = true
    case "/nsm/client/hide_optional_gui": shownAsked = false
    // Connections are made as ports appear, and of other messages of later versions nothing is expected.
    default: break
    }
    return nil
  }
}
