public import Engine
public import OSC

/// A show for those who come another way than by the control port, such as pages: has messages done, and reports how it
/// stands in the same words. [one]
public struct ShowFeed {
  /// How often something may be sent, a second.
  public static var rates: ClosedRange<Double> { FeedbackTerms.rates }
  /// How it stood at the last look.
  package private(set) var state = FeedbackState()
  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let addresses = AddressCache()
  private var poller: ShowPoller
  private var health = ShowHealth()

  /// - Parameters:
  ///   - router: where commands go.
  ///   - folders: where files may lie that messages name.
  ///   - host: how the host stands. [any]
  ///   - levels: the newest levels by number, and the plan they are of. [any]
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

  /// Looks at the show, at a time in seconds of the monotonic clock.
  public mutating func look(at time: Double) {
    var health = health
    state.beginPoll()
    poller.poll(&state, at: time) { [show] host in health.report(show, host, at: time) }
    self.health = health
  }

  /// Has done what a message asks for. An immediate refusal is thrown, a later one is reported by any thread.
  public func perform(_ message: Message, refused: @escaping GraphChange.Refusal) throws(ControlError) {
    for request in try CommandReader(show, folders, addresses).requests(message) {
      switch request {
      case .command(let command): router.perform(command, refused: refused)
      case .status, .key, .proof, .pair, .subscribe, .unsubscribe:
        throw .value("\(message.address) is for the control port; a page is told by what it listens to")
      }
    }
  }
}
