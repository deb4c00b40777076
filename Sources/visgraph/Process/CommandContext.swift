import Glibc

/// What a command may use of the process that it runs in: all of it, unless the process has others to look after. [control]
struct CommandContext: Sendable {
  /// Takes what goes to stdout (1) and stderr (2); nil: the process's own.
  var output: (@Sendable (_ text: String, _ descriptor: Int32) -> Void)?
  /// Whether signals that end the process are the command's.
  var takesSignals = true

  /// That of the calling thread.
  @TaskLocal static var current = CommandContext()

  /// Whether stderr is a terminal, on which a bar can be drawn.
  var hasTerminal: Bool { output == nil && isatty(2) != 0 }
}
