import Glibc

/// A regular expression on full port names, as JACK's own tools take them: POSIX extended, found anywhere. [jack]
struct JackPattern: ~Copyable {
  private let expression: UnsafeMutablePointer<regex_t>

  /// Reads an expression; nil when it is none.
  init?(_ text: String) {
    let room = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    room.initialize(to: regex_t())
    guard regcomp(room, text, REG_EXTENDED | REG_NOSUB) == 0 else {
      room.deallocate()
      return nil
    }
    expression = room
  }

  deinit {
    regfree(expression)
    expression.deallocate()
  }

  /// Whether it is found in `name`.
  borrowing func matches(_ name: String) -> Bool { regexec(expression, name, 0, nil, 0) == 0 }

  /// What stands between slashes; nil for a plain name.
  static func text(in rule: String) -> String? {
    guard rule.utf8.count >= 2, rule.hasPrefix("/"), rule.hasSuffix("/") else { return nil }
    return String(rule.dropFirst().dropLast())
  }
}
