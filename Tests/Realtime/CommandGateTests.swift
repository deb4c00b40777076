import Realtime
import Synchronization
import TestSupport
import Testing

/// Commands that pass into a callback at the start of a frame.
@Suite struct CommandGateTests {
  // The callback's end of the gate cannot be copied, which the macros of tests would do.
  private func isOpen(_ gate: CommandGate) -> Bool { gate.shared.pointee.isOpen }
  private func last(_ gate: CommandGate) -> Int64 { gate.shared.pointee.lastTaken }

  @Test func `a command acts from the next frame on, and the frame's record counts it`() {
    let gate = CommandGate()
    let shared = gate.shared
    shared.pointee.begin(at: 0)
    #expect(isOpen(gate) && last(gate) == 0)
    shared.pointee.end()
    #expect(!isOpen(gate))
    #expect(gate.perform { $0 } == 1)
    #expect(gate.perform { $0 } == 2)
    #expect(!gate.isTaken && last(gate) == 0)
    shared.pointee.begin(at: 800)
    #expect(last(gate) == 2 && gate.isTaken)
    shared.pointee.end()
  }

  @Test func `a command with a time waits for it, and later commands wait with it`() {
    let gate = CommandGate()
    let shared = gate.shared
    _ = gate.perform(notBefore: 1600) { $0 }
    _ = gate.perform { $0 }
    shared.pointee.begin(at: 800)
    #expect(!isOpen(gate) && last(gate) == 0)
    shared.pointee.end()
    shared.pointee.begin(at: 1600)
    #expect(isOpen(gate) && last(gate) == 2)
    shared.pointee.end()
  }

  @Test func `a frame takes a command whole or not at all`() {
    // A command is two values that are always equal.
    let gate = CommandGate()
    let (one, two) = (Box(), Box())
    let writer = TestThread {
      for number in 1...20_000 {
        gate.perform { _ in
          one.value.store(number, ordering: .relaxed)
          two.value.store(number, ordering: .relaxed)
        }
      }
    }
    var (frame, torn, taken) = (Int64(0), 0, 0)
    // On a busy machine the writer may be within a command all the time; when it has ended, the gate is open.
    while !writer.isDone || frame < 1000 || (taken == 0 && frame < 1_000_000) {
      gate.shared.pointee.begin(at: frame)
      if isOpen(gate) {
        let values = (one.value.load(ordering: .relaxed), two.value.load(ordering: .relaxed))
        if values.0 != values.1 || Int64(values.0) != last(gate) { torn += 1 }
        taken += 1
      }
      gate.shared.pointee.end()
      frame += 1
    }
    #expect(torn == 0 && taken > 0)
  }

  private final class Box: Sendable {
    let value = Atomic<Int>(0)
  }
}
