import Glibc

/// Which resources of its process a command may use: all of them, or fewer if the process runs other code, such as
/// tests. [control]
struct CommandContext: Sendable {
  /// Takes text for stdout (1) and stderr (2); nil: it goes to the process's own.
  var output: (@Sendable (_ text: String, _ descriptor: Int32) -> Void)?
  /// Whether the command handles the signals that end the process.
  var takesSignals = true
  /// What a live run takes its time from.
  var pace = RunPace()

  /// The context of the calling task.
  @TaskLocal static var current = CommandContext()

  /// A body for a thread that the command starts, which does not inherit the context by itself.
  static func inherited(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let context = current
    return { $current.withValue(context, operation: body) }
  }

  /// Whether stderr is a terminal, on which a bar can be drawn.
  var hasTerminal: Bool { output == nil && isatty(2) != 0 }
}
