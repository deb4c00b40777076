import Controls
import OSC
import System

/// One-time tokens that open the desk in a browser which this program starts: its command line is visible in the list
/// of processes. A browser exchanges its token for a cookie, which is valid for its machine as long as this program
/// runs, for every graph. [any]
final class DeskTokens: Sendable {
  /// The tokens of this process.
  static let own = DeskTokens()
  /// How long a token is valid, in s.
  static let lease = 30.0
  /// The maximum number of tokens, and of cookies; beyond it the oldest one is removed.
  static let most = 16
  static let cookieName = "visgraph-desk"

  private struct State {
    var tokens: [(text: String, until: Double)] = []
    var cookies: [(text: String, peer: IPAddress)] = []
  }
  private let state = Locked(State())

  /// Makes a token; `time` in s of the monotonic clock.
  func make(at time: Double) -> String {
    let token = Self.randomHex()
    state.withLock { state in
      if state.tokens.count >= Self.most { state.tokens.removeFirst() }
      state.tokens.append((token, time + Self.lease))
    }
    return token
  }

  /// Uses up a token. Returns a cookie for the machine; nil where the token is unknown or expired.
  func take(_ token: String, of peer: IPAddress, at time: Double) -> String? {
    state.withLock { state in
      guard let place = state.tokens.firstIndex(where: { SecretText.isSame(token, $0.text) }) else {
        return nil
      }
      guard state.tokens.remove(at: place).until > time else { return nil }
      let cookie = Self.randomHex()
      if state.cookies.count >= Self.most { state.cookies.removeFirst() }
      state.cookies.append((cookie, peer))
      return cookie
    }
  }

  /// Whether a cookie was given to a machine.
  func knows(_ cookie: String, of peer: IPAddress) -> Bool {
    state.withLock { $0.cookies.contains { $0.peer == peer && SecretText.isSame(cookie, $0.text) } }
  }

  /// 128 random bits as 32 hexadecimal digits.
  private static func randomHex() -> String {
    (0..<2).map { _ in String(hexadecimal: UInt64.random(in: .min ... .max), digits: 16) }.joined()
  }
}
