import Controls
import Graphs
import System
import Viewer

/// The session of a run: saves, leaves, and shows or hides pages as the manager asks. [control]
final class OpenSession: RunSession {
  private let client: NSMClient
  private let project: NSMClient.Project
  private let folder: SessionFolder
  /// Whether the manager has the answer that the project is open.
  private(set) var isOpen = false
  /// Whether the manager asks for another project.
  private(set) var isLeft = false
  /// Whether a loss was reported.
  private(set) var hasLosses = false
  private var pages: ViewServer?
  /// The timeout for a browser to open the desk, in s; after it another one may be started.
  private static let browserTimeout = 5.0
  /// The xdg-open processes that still run. Without a desktop environment, xdg-open runs as long as the browser.
  private var openers: [ChildProcess] = []
  /// When xdg-open was started last, in s of the monotonic clock.
  private var openedAt = -Double.infinity
  /// Whether pages of the previous project were shown: they reconnect by themselves.
  private let hadPages: Bool
  /// When the desk is opened, unless a page is connected by then, in s of the monotonic clock; nil: never.
  private var due: Double?
  /// Whether pages were shown at the last poll.
  private(set) var wasShown = false

  /// `before`: the session of the previous project.
  init(
    _ client: NSMClient, _ project: NSMClient.Project, _ folder: SessionFolder,
    before: OpenSession?
  ) {
    (self.client, self.project, self.folder) = (client, project, folder)
    hadPages = before?.wasShown == true
  }

  func opened(_ label: String, pages: ViewServer?) {
    self.pages = pages
    client.opened(project, label: label)
    isOpen = true
    if folder.isShown { due = MonotonicClock.seconds + (hadPages ? Self.browserTimeout : 0) }
  }

  func attend(_ changes: ChangeRunner, _ reloader: GraphReloader, _ keeper: StateKeeper) {
    let isSaveAsked = client.poll()
    if isSaveAsked {
      var fault: String?
      if !changes.overrides.live.isEmpty { reloader.save { fault = $0.description } }
      if !keeper.keepNow(), fault == nil { fault = "its state cannot be written" }
      folder.isShown = isShown
      client.saved(fault)
    }
    client.note(isDirty: !changes.overrides.live.isEmpty)
    switch client.takeShown() {
    case true?: show()
    case false?:
      pages?.dismiss()
      (openedAt, due) = (-.infinity, nil)
    case nil: break
    }
    wasShown = isShown
    if wasShown {
      due = nil
    } else if let due, MonotonicClock.seconds >= due {
      self.due = nil
      show()
    }
    removeEndedOpeners()
    client.note(isShown: wasShown)
    isLeft = client.hasProject
  }

  func report(_ loss: String) {
    hasLosses = true
    client.tell(loss)
  }

  /// Whether a page on this machine is connected. Pages on other machines are no window of this session.
  private var isShown: Bool { pages?.isWatchedHere == true }

  /// Opens the desk in the browser of the local user.
  private func show() {
    guard let pages else {
      return client.tell("there are no pages to show: it was started with --view off")
    }
    guard !isShown, MonotonicClock.seconds > openedAt + Self.browserTimeout else { return }
    openedAt = MonotonicClock.seconds
    do {
      openers.append(try ChildProcess(["xdg-open", pages.makeDeskAddress()], descriptors: [:]))
    } catch {
      showAddress()
    }
  }

  /// Removes the xdg-open processes that have ended. If one has failed, the user is shown the desk's address.
  private func removeEndedOpeners() {
    openers.removeAll { opener in
      guard let ending = opener.ending() else { return false }
      if ending != .code(0) { showAddress() }
      return true
    }
  }

  private func showAddress() {
    guard let pages else { return }
    let key = pages.isDeskLocked ? ", with ?key= and the key of the graph after it" : ""
    client.tell("no browser can be opened here; the desk is at \(pages.desk)\(key)")
  }
}
