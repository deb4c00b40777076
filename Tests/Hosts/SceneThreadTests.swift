import Glibc
import Graphs
import Synchronization
import System
import TestSupport
import Testing

@testable import Engine

/// A node with a scene half that takes as long as the test holds its lock.
private enum Painter: RunnableNode {
  struct Settings: FieldRecord {
    static let recordName = "painter"
    static let fields: [Field<Settings>] = []
  }
  static let name = "painter"
  static let help = "Paints."
  static let scene = PainterScene()
  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .decibels], "Levels.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  static func makeParts(_ making: NodeContext<Settings>) throws -> NodeParts { NodeParts(scene: scene) }
}

private final class PainterScene: SceneNode {
  /// Held by the test while the scene half should not go on.
  let brush = Lock()
  let strokes = Atomic<Int>(0)
  let began = Atomic<Int>(0)
  let ends = Atomic<Int>(0)

  func end() { ends.add(1, ordering: .relaxed) }

  func advance() {
    began.add(1, ordering: .relaxed)
    brush.withLock { _ = strokes.add(1, ordering: .relaxed) }
  }
  func takeMessages() -> [String] { [] }
}

@Suite(.serialized, .blocking) struct SceneThreadTests {
  private let graph = """
    nodes: { tone: { type: tone-source }, meter: { type: meter }, painter: { type: painter } }
    wires: [tone -> meter -> painter]
    """

  @Test func `offline the scene advances within every frame`() throws {
    let rig = HostRig(types: [Painter.self])
    let before = Painter.scene.strokes.load(ordering: .relaxed)
    try rig.offer(graph)
    rig.process(8000)
    rig.frames.drain()
    #expect(Painter.scene.strokes.load(ordering: .relaxed) == before + 10)
  }

  @Test func `live no frame waits for a scene that does not go on`() throws {
    let rig = HostRig(types: [Painter.self])
    try rig.frames.start()
    defer { rig.frames.stop() }
    let scene = Painter.scene
    let began = scene.began.load(ordering: .relaxed)
    try rig.offer(graph)
    let strokes = scene.brush.withLock {
      // Counts from here on: the scene thread of an earlier test may still have run its last step.
      let strokes = scene.strokes.load(ordering: .relaxed)
      rig.process(800)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { scene.began.load(ordering: .relaxed) > began })
      rig.process(8000)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { rig.frames.doneFrame == 11 })
      #expect(scene.strokes.load(ordering: .relaxed) == strokes)
      return strokes
    }
    #expect(poll { scene.strokes.load(ordering: .relaxed) > strokes })
  }

  @Test func `a scene that is replaced is ended even while it runs, and one that is kept is not`() throws {
    let rig = HostRig(types: [Painter.self])
    try rig.frames.start()
    let scene = Painter.scene
    let (began, ends) = (scene.began.load(ordering: .relaxed), scene.ends.load(ordering: .relaxed))
    try scene.brush.withLock {
      try rig.offer(graph)
      rig.process(800)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { scene.began.load(ordering: .relaxed) > began })
      try rig.offer(graph)
      rig.process(1600)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { rig.frames.doneFrame == 3 })
      #expect(scene.ends.load(ordering: .relaxed) == ends)
      try rig.offer("nodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]")
      rig.process(1600)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { scene.ends.load(ordering: .relaxed) == ends + 1 })
      try rig.offer(graph)
      rig.process(1600)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { rig.frames.doneFrame == 7 })
      rig.frames.stop()
      #expect(scene.ends.load(ordering: .relaxed) == ends + 2)
    }
  }

  @Test func `the end of a show does not wait for a scene that does not go on`() throws {
    let rig = HostRig(types: [Painter.self])
    try rig.frames.start()
    let scene = Painter.scene
    let began = scene.began.load(ordering: .relaxed)
    try rig.offer(graph)
    let strokes = scene.brush.withLock {
      // Counts from here on: the scene thread of an earlier test may still have run its last step.
      let strokes = scene.strokes.load(ordering: .relaxed)
      rig.process(800)
      sem_post(rig.frames.frameSemaphore)
      #expect(poll { scene.began.load(ordering: .relaxed) > began })
      rig.process(1600)
      rig.frames.stop()
      #expect(rig.frames.doneFrame == 3)
      #expect(scene.strokes.load(ordering: .relaxed) == strokes)
      return strokes
    }
    #expect(poll { scene.strokes.load(ordering: .relaxed) > strokes })
  }
}
