import CRealtime
import Engine
import Glibc
import Realtime
import TestSupport
import Testing

/// RealtimeSanitizer ends the program when a block does what a callback must not do; only in builds that link it
/// (RTSAN=1).
@Suite(.enabled(if: vg_sanitized() != 0)) struct SanitizerTests {
  @Test func `a block that allocates in the callback ends the program`() async {
    await #expect(processExitsWith: .failure) { carelessCycle(inCallback: true) }
  }

  @Test func `outside the callback the same block may allocate`() async {
    await #expect(processExitsWith: .success) { carelessCycle(inCallback: false) }
  }

  @Test func `a block that allocates nothing may run in the callback`() async {
    await #expect(processExitsWith: .success) {
      let rig = EngineRig()
      let plan = HandPlan()
      rig.offer(plan)
      vg_enter_callback()
      rig.process(2000)
      vg_leave_callback()
      exit(plan.records().count == 2 ? 0 : 1)
    }
  }
}

/// Runs a cycle of a plan whose block allocates, and ends the program normally.
private func carelessCycle(inCallback: Bool) {
  let rig = EngineRig()
  let plan = HandPlan()
  plan.pointer.pointee.ops[0].process = Careless.processing
  rig.offer(plan)
  if inCallback { vg_enter_callback() }
  rig.process(100)
  if inCallback { vg_leave_callback() }
  exit(0)
}

/// Allocates in its `process`.
private struct Careless: ~Copyable, Block {
  mutating func process(_ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
    guard let memory = malloc(cycle.count + 1) else { return }
    memset(memory, 1, cycle.count)
    free(memory)
  }
  static var processing: vg_process { { runBlock(Careless.self, $0, $1) } }
}
