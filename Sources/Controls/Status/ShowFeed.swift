public import Engine
public import OSC

/// Gives pages and others that do not use the control port the same messages: performs commands, and has the state of
/// the show. [one]
public struct ShowFeed {
  /// Allowed rates of updates, a second.
  public static var rates: ClosedRange<Double> { FeedbackTerms.rates }
  /// The state at the last look.
  package private(set) var state = FeedbackState()
  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let addresses = AddressCache()
  private var poller: ShowPoller
  private var health = ShowHealth()

  /// - Parameters:
  ///   - router: performs the commands.
  ///   - folders: the folders in which files lie that messages may name.
  ///   - host: the state of the host. [any]
  ///   - levels: the newest levels by number, and the plan to which they belong. [any]
  public init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders,
    host: @escaping @Sendable () -> HostSnapshot,
    levels: @escaping @Sendable () -> (plan: Int?, levels: [Float])
  ) {
    self.show = show
    self.router = router
    self.folders = folders
    poller = ShowPoller(show, router, host, levels)
  }

  /// Updates `state`, at a time in seconds of the monotonic clock.
  public mutating func look(at time: Double) {
    var health = health
    state.beginPoll()
    poller.poll(&state, at: time) { [show] host in health.report(show, host, at: time) }
    self.health = health
  }

  /// Performs a message. Throws a refusal that is known at once; `refused` takes a later one, on any thread.
  public func perform(_ message: Message, refused: @escaping GraphChange.Refusal) throws(ControlError) {
    for request in try CommandReader(show, folders, addresses).requests(message) {
      switch request {
      case .command(let command): router.perform(command, refused: refused)
      case .status, .key, .proof, .pair, .subscribe, .unsubscribe:
        throw .value("\(message.address) is for the control port; a page gets the values that it listens to")
      }
    }
  }
}
