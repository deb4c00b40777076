import Controls
import OSC
import System

/// Words that open the desk once, for a browser that this program opens by itself: what it is started with is seen by everyone who
/// looks at the list of processes. For its token a browser gets a cookie, which holds for its machine as long as this program
/// runs, whichever graph that serves. Bounded in both. [any]
final class DeskTokens: Sendable {
  /// Those of this program.
  static let own = DeskTokens()
  /// For how long a token is good, in seconds.
  static let lease = 30.0
  /// The most tokens that wait, and cookies that hold; for one more the oldest goes.
  private static let most = 16
  /// What the cookie is called.
  static let cookieName = "visgraph-desk"

  private struct State {
    var tokens: [(text: String, until: Double)] = []
    var cookies: [(text: String, peer: IPAddress)] = []
  }
  private let state = Locked(State())

  /// A new token, from a time in seconds on.
  func make(at time: Double) -> String {
    let token = Self.word()
    state.withLock { state in
      if state.tokens.count >= Self.most { state.tokens.removeFirst() }
      state.tokens.append((token, time + Self.lease))
    }
    return token
  }

  /// Takes a token, which is good no more then; gives the cookie of who has it, nil where it is none or too old.
  func take(_ token: String, of peer: IPAddress, at time: Double) -> String? {
    state.withLock { state in
      guard let place = state.tokens.firstIndex(where: { SecretText.isSame(token, $0.text) }) else {
        return nil
      }
      guard state.tokens.remove(at: place).until > time else { return nil }
      let cookie = Self.word()
      if state.cookies.count >= Self.most { state.cookies.removeFirst() }
      state.cookies.append((cookie, peer))
      return cookie
    }
  }

  /// Whether a cookie is one of a machine.
  func knows(_ cookie: String, of peer: IPAddress) -> Bool {
    state.withLock { $0.cookies.contains { $0.peer == peer && SecretText.isSame(cookie, $0.text) } }
  }

  /// 128 bits that nobody guesses, as text.
  private static func word() -> String {
    (0..<2).map { _ in String(hexadecimal: UInt64.random(in: .min ... .max), digits: 16) }.joined()
  }
}
