import Graphs
public import OSC
import System

/// Turns events of the control port into lines of the log. The first event of a sort is logged at once, then at most
/// one line in the sort's `pause`, with the number of events since. [any]
public final class PortLog: Sendable {
  /// A line of the log.
  public struct Line: Equatable, Sendable {
    /// One sentence.
    public var text: String
    /// Whether it reports a fault.
    public var isWarning: Bool
  }

  private struct SortState {
    /// When the sort was last logged, in seconds.
    var time: Double
    var pause: Double
    /// The newest event since, and the number of events.
    var waiting: (event: PortEvent, count: Int)?
  }

  private struct State {
    var sorts: [String: SortState] = [:]
    var lines: [Line] = []
    /// The number of events that had no room.
    var leftOut = 0
  }

  /// The most sorts that are counted separately, and the most lines that wait.
  private static let most = 256
  /// The sort of all further ones.
  private static let others = "others"
  private let reportsAll: Bool
  private let state = Locked(State())

  /// Has no lines yet; `reportsAll`: also logs messages that are carried out.
  public init(reportsAll: Bool) { self.reportsAll = reportsAll }

  /// Adds an event, at a time in seconds.
  public func add(_ event: PortEvent, at time: Double) {
    if case .taken = event, !reportsAll { return }
    state.withLock { state in
      let hasRoom = state.sorts.count < Self.most || state.sorts[event.sort] != nil
      let name = hasRoom ? event.sort : Self.others
      if var sort = state.sorts[name], sort.waiting != nil || time < sort.time + sort.pause {
        sort.waiting = (event, (sort.waiting?.count ?? 0) + 1)
        state.sorts[name] = sort
      } else {
        state.sorts[name] = SortState(time: time, pause: event.pause)
        Self.report(event, 1, &state)
      }
    }
  }

  /// Removes and returns the lines that are due.
  public func takeLines(at time: Double) -> [Line] {
    state.withLock { state in
      for (name, sort) in state.sorts.sorted(by: { $0.key < $1.key }) where time >= sort.time + sort.pause {
        if let waiting = sort.waiting {
          state.sorts[name] = SortState(time: time, pause: sort.pause)
          Self.report(waiting.event, waiting.count, areAlike: name != Self.others, &state)
        } else {
          state.sorts[name] = nil
        }
      }
      defer { (state.lines, state.leftOut) = ([], 0) }
      guard state.leftOut > 0 else { return state.lines }
      return state.lines + [
        Line(text: "control: \(state.leftOut) more that were not taken in time", isWarning: true)
      ]
    }
  }

  private static func report(
    _ event: PortEvent, _ count: Int, areAlike: Bool = true, _ state: inout State
  ) {
    guard state.lines.count <= most else { return state.leftOut += count }
    var isWarning = true
    if case .taken = event { isWarning = false }
    let more = count > 1 ? " (and \(count - 1) more\(areAlike ? " like it" : ", of many sorts"))" : ""
    state.lines.append(Line(text: "\(event.place): \(event.line)\(more)", isWarning: isWarning))
  }
}

/// An event of the control port, or a refusal of what a page sends, for the log and the screen; `from` is the sender.
public enum PortEvent: Sendable {
  /// The sender of a message; its text is made only where it is logged.
  public typealias Sender = any CustomStringConvertible & Sendable
  /// A message is carried out.
  case taken(Message, from: Sender)
  /// A message or a packet to an address is refused.
  case refused(address: String, ControlError, from: Sender)
  /// A sender is not allowed, or sends no OSC.
  case stranger(PacketServer.RefusedPeer)
  /// A browser is refused a page, because a page of another site may have led it here.
  case foreignPage(ForeignPage, from: Sender)

  /// Why the request may come from another site.
  public enum ForeignPage: Sendable, Equatable {
    /// It asks for a host name that is not this machine's.
    case host(String)
    /// It has another origin, without the key.
    case origin(String)
  }
}

extension PortEvent {
  /// The most characters that are logged of a name that a browser sends.
  private static let mostOfName = 100

  /// The part of the program where it happens.
  var place: String { if case .foreignPage = self { "view" } else { "control" } }

  /// The event in one line, with keys masked.
  public var line: String { SecretMask.unknown.masked(plainLine) }

  private var plainLine: String {
    switch self {
    case .taken(let message, let peer):
      "\(message.address)\(message.arguments.map { " \($0.words)" }.joined()) of \(peer)"
    case .refused(let address, let fault, let peer):
      "\(address.isEmpty ? "a packet" : address) of \(peer) is refused: \(fault) [\(fault.code)]"
    case .stranger(.notAllowed(let address)): "messages of \(address) are ignored: it is not allowed"
    case .stranger(.notOSC(let address)): "a connection of \(address) is closed: it speaks no OSC"
    case .foreignPage(.host(let host), let peer):
      "a browser at \(peer) is refused, as it asks for \(host.isEmpty ? "no host" : "\(host.prefix(Self.mostOfName))"): "
        + "`names` of `view`, or --view-name, lists names besides those of this machine"
    case .foreignPage(.origin(let origin), let peer):
      "a page of \(origin.prefix(Self.mostOfName)), in a browser at \(peer), is refused: it has not shown the key"
    }
  }

  /// Events of one sort share a line and a count, so that a flood does not fill the log.
  var sort: String {
    switch self {
    case .taken(let message, _): "taken \(message.address)"
    case .refused(_, let fault, _): "refused \(fault.code)"
    case .stranger(.notAllowed): "not allowed"
    case .stranger(.notOSC): "no OSC"
    case .foreignPage(.host, _): "foreign host"
    case .foreignPage(.origin, _): "foreign origin"
    }
  }

  /// The least time between two lines of a sort, in seconds.
  var pause: Double {
    switch self {
    case .stranger, .foreignPage: 60
    case .taken, .refused: 1
    }
  }
}
