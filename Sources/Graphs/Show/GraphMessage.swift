public import OSC

/// A message that a hook, a cue or an alarm has done: to this show, as its control port takes it, or to another program.
/// [any]
public struct GraphMessage: FieldValue {
  /// The message, and where it goes where that is not this show.
  public let text: MessageText
  /// As the file has it.
  public let source: String
  /// Where it stands.
  let mark: SourceRange

  /// The kind when a declaration names none.
  public static let kind = ValueKind.text(
    pattern: "^(/|[^ ]+:[0-9]+/)",
    form: "a message such as /visgraph/scene storm 2, or osc.udp://127.0.0.1:9000/alarm 1 to another program",
    isChecked: false)

  /// Reads it; when it is at fault that goes to `context`, and the result is nil.
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> GraphMessage? {
    guard let text = tree.text, !tree.isNothing else {
      context.expected(kind.words, tree)
      return nil
    }
    do throws(OSCError) {
      return GraphMessage(text: try MessageText(text), source: text, mark: tree.mark)
    } catch {
      context.report(.notForOSC(context.subject, error, at: tree.mark))
      return nil
    }
  }

  /// As a graph file would write it.
  public func written(as kind: ValueKind) -> String { yamlText(source) }
}
