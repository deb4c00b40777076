import Engine
import Graphs
import System
import TestSupport
import Testing

/// The order in which nodes that send run, and end.
@Suite(.serialized) struct SendingOrderTests {
  private func order(_ nodes: String, wires: String) throws -> [String] {
    SenderFrame.log.withLock { $0 = [] }
    let rig = HostRig(types: [LampSender.self, WordSender.self])
    try rig.offer("nodes:\n\(nodes)\nwires: [\(wires)]")
    rig.process(801)
    rig.frames.drain()
    return SenderFrame.log.withLock { $0 }
  }

  @Test func `lights whose levels are ready run before messages, and all others in the order of the file`()
    throws
  {
    let level = "  level: { type: constant }\n"
    let both = try order(
      level + "  a: { type: words }\n  b: { type: lamps }\n  c: { type: words }\n  d: { type: lamps }",
      wires: "level -> a, level -> b, level -> c, level -> d")
    #expect(both == ["run b", "run d", "run a", "run c"])
    let later = try order(
      level + "  a: { type: words }\n  late: { type: smooth }\n  b: { type: lamps }\n  c: { type: words }",
      wires: "level -> a, level -> late -> b, level -> c")
    #expect(later == ["run a", "run b", "run c"])
    let alone = try order(
      level + "  a: { type: lamps }\n  b: { type: words }\n  c: { type: words }",
      wires: "level -> a, level -> b, level -> c")
    #expect(alone == ["run a", "run b", "run c"])
  }

  @Test func `at the end all lights go dark before any is waited for, and all share one timeout`() throws {
    // A busy machine may use up the timeout before the first wait.
    let wrong = try lastOf { () throws -> [String]? in
      let rig = HostRig(types: [LampSender.self, WordSender.self])
      try rig.offer(
        "nodes:\n  level: { type: constant }\n  a: { type: lamps }\n  b: { type: lamps }\nwires: [level -> a, level -> b]"
      )
      rig.process(801)
      rig.frames.drain()
      SenderFrame.log.withLock { $0 = [] }
      rig.frames.stop()
      let calls = SenderFrame.log.withLock { $0 }
      // The first uses up the whole timeout.
      return calls == ["end a", "end b", "flush a for some", "flush b for none"] ? nil : calls
    }
    #expect(wrong == nil)
  }
}

/// Logs its calls.
private final class SenderFrame: FrameNode {
  static let log = Locked<[String]>([])
  let id: String
  let sends: SentKind?

  init(_ id: String, _ sends: SentKind) { (self.id, self.sends) = (id, sends) }

  private func note(_ text: String) { Self.log.withLock { $0.append(text) } }

  func run(_ frame: Frame) { note("run \(id)") }
  func end(at seconds: Double, kept: Set<ObjectIdentifier>) { note("end \(id)") }
  func flush(within seconds: Double) {
    note("flush \(id) for \(seconds > 0 ? "some" : "none")")
    let deadline = Deadline.after(seconds: seconds)
    while !deadline.isOver {}
  }
}

private enum LampSender: RunnableNode {
  struct Settings: FieldRecord {
    static let recordName = "lamps"
    static let fields: [Field<Settings>] = []
  }
  static let name = "lamps"
  static let help = "Sends light."
  static func inputs(_ settings: Settings) -> [InputPort] { [InputPort("in", [.level], "Levels.")] }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    NodeParts(frame: SenderFrame(context.id, .light))
  }
}

private enum WordSender: RunnableNode {
  typealias Settings = LampSender.Settings
  static let name = "words"
  static let help = "Sends messages."
  static func inputs(_ settings: Settings) -> [InputPort] { LampSender.inputs(settings) }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    NodeParts(frame: SenderFrame(context.id, .message))
  }
}
