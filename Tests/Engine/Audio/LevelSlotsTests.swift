import Engine
import Realtime
import Testing

/// Levels that act on audio.
@Suite struct LevelSlotsTests {
  @Test func `a level acts in its own frame, as a ramp from the level before`() {
    let slots = LevelSlots(count: 2)
    for frame in Int64(3)...40 {
      slots.set(0, frame: frame, to: Float(frame))
      slots.set(1, frame: frame, to: -Float(frame))
      #expect(slots.begin(frame: frame) == 0)
      #expect(slots.ramp(0).from == (frame == 3 ? 0 : Float(frame - 1)))
      #expect(slots.ramp(0).to == Float(frame))
      #expect(slots.ramp(1).to == -Float(frame))
    }
  }

  @Test func `a missing level is counted, and the last one stays`() {
    let slots = LevelSlots(count: 1)
    slots.set(0, frame: 5, to: 0.5)
    #expect(slots.begin(frame: 4) == 1)
    #expect(slots.ramp(0) == (0, 0))
    #expect(slots.begin(frame: 5) == 0)
    #expect(slots.begin(frame: 6) == 1)
    #expect(slots.ramp(0) == (0.5, 0.5))
  }

  @Test func `an old level does not count as a new one`() {
    let slots = LevelSlots(count: 1)
    slots.set(0, frame: 5, to: 0.5)
    #expect(slots.begin(frame: 21) == 1)
    slots.set(0, frame: (1 << 32) + 7, to: 0.25)
    #expect(slots.begin(frame: (1 << 32) + 7) == 0)
    #expect(slots.ramp(0).to == 0.25)
  }
}
