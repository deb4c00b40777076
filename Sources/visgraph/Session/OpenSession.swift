import Controls
import Graphs
import System
import Viewer

/// A project that is open, as its run sees it: saving, leaving, and pages that the manager shows or hides. [control]
final class OpenSession: RunSession {
  private let client: NSMClient
  private let project: NSMClient.Project
  private let folder: SessionFolder
  /// Whether the manager wants another project instead.
  private(set) var isLeft = false
  private var pages: ViewServer?
  /// How long a browser that was asked for may take before it is asked for again, in seconds.
  private static let patience = 5.0
  /// What opens the desk in a browser, until it has ended: where there is no desktop that is with the browser.
  private var openers: [ChildProcess] = []
  /// When it was asked for last, in seconds of the monotonic clock.
  private var openedAt = -Double.infinity
  /// Whether pages of the project before were seen, which look for us by themselves.
  private let hadPages: Bool
  /// When the desk is opened unless a page is seen by then; nil: not by itself.
  private var due: Double?
  /// Whether pages were seen at the last look.
  private(set) var wasShown = false

  /// `before` is the project that was open until now.
  init(
    _ client: NSMClient, _ project: NSMClient.Project, _ folder: SessionFolder,
    before: OpenSession?
  ) {
    (self.client, self.project, self.folder) = (client, project, folder)
    hadPages = before?.wasShown == true
  }

  /// The ports are there, and cycles run; so are the pages, if any.
  func opened(_ label: String, pages: ViewServer?) {
    self.pages = pages
    client.opened(project, label: label)
    if folder.isShown { due = MonotonicClock.seconds + (hadPages ? Self.patience : 0) }
  }

  /// Does what the manager has asked for since the last call.
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
    lookAtOpeners()
    client.note(isShown: wasShown)
    isLeft = client.hasProject
  }

  /// Whether a page on this machine is seen: those of the network are no window of this session.
  private var isShown: Bool { pages?.isWatchedHere == true }

  /// Opens the desk in the browser of the user who sits here.
  private func show() {
    guard let pages else {
      return client.tell("there are no pages to show: it was started with --view off")
    }
    guard !isShown, MonotonicClock.seconds > openedAt + Self.patience else { return }
    openedAt = MonotonicClock.seconds
    do {
      openers.append(try ChildProcess(["xdg-open", pages.makeDeskAddress()], descriptors: [:]))
    } catch {
      tellAddress()
    }
  }

  private func lookAtOpeners() {
    openers.removeAll { opener in
      guard let ending = opener.ending() else { return false }
      if ending != .code(0) { tellAddress() }
      return true
    }
  }

  private func tellAddress() {
    guard let pages else { return }
    let key = pages.isDeskLocked ? ", with ?key= and the key of the graph behind it" : ""
    client.tell("no browser can be opened here; the desk is at \(pages.desk)\(key)")
  }
}
