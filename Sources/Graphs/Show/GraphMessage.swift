public import OSC

/// A message of a hook, cue or alarm: to this show's control port, or to another program. [any]
public struct GraphMessage: FieldValue {
  /// The message, with its target where that is not this show.
  public let text: MessageText
  /// The text in the file.
  public let source: String
  /// The place in the file.
  let mark: SourceRange

  /// The default kind of a field of this type.
  public static let kind = ValueKind.text(
    pattern: "^(/|[^ ]+:[0-9]+/)",
    form: "a message such as /visgraph/scene storm 2, or osc.udp://127.0.0.1:9000/alarm 1 to another program",
    isChecked: false)

  /// Reads the value; nil after reporting a fault.
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

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { yamlText(source) }
}
