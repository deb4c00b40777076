import Graphs
import Hosts
import Playback
import System
import Testing

@testable import Controls
import Engine

@Suite struct DeskTests {
  @Test func `of several values of a setting the newest waits`() {
    let wakes = Locked(0)
    let desk = Desk(show: Show()) { wakes.withLock { $0 += 1 } }
    desk.obey(.set(path: "a.b", value: "1"))
    desk.obey(.set(path: "a.c", value: "2"))
    desk.obey(.fader(path: "a.b", 0.5))
    desk.obey(.reload)
    desk.obey(.set(path: "a.b", value: "3"))
    desk.obey(.set(path: "a.b", value: "4"))
    #expect(
      desk.takeChanges().map(\.command) == [
        .fader(path: "a.b", 0.5), .set(path: "a.c", value: "2"), .reload, .set(path: "a.b", value: "4"),
      ])
    #expect(desk.takeChanges().isEmpty)
    // One thread takes all that waits: it is woken once.
    #expect(wakes.withLock { $0 } == 1)
    desk.obey(.quit)
    #expect(wakes.withLock { $0 } == 2)
  }

  @Test func `more changes than may wait are refused`() {
    let desk = Desk(show: Show()) {}
    let refused = Locked<[ControlFault]>([])
    for number in 0..<Desk.mostChanges + 2 {
      desk.obey(.set(path: "a.\(number)", value: "1")) { fault in refused.withLock { $0.append(fault) } }
    }
    #expect(desk.takeChanges().count == Desk.mostChanges)
    #expect(refused.withLock { $0.map(\.code) } == ["control-too-much", "control-too-much"])
  }

  @Test func `master and blackout are done at once`() {
    let show = Show()
    let desk = Desk(show: show) {}
    desk.obey(.master(0.25))
    desk.obey(.blackout(true))
    #expect(show.dimmer.master == 0.25 && show.dimmer.isBlackout)
    desk.obey(.blackout(false))
    #expect(!show.dimmer.isBlackout)
    #expect(desk.takeChanges().isEmpty)
  }

  @Test func `without a player a transport is refused`() {
    let desk = Desk(show: Show()) {}
    let refused = Locked<[ControlFault]>([])
    desk.obey(.transport(node: nil, .play)) { fault in refused.withLock { $0.append(fault) } }
    desk.obey(.transport(node: "x", .play)) { fault in refused.withLock { $0.append(fault) } }
    #expect(refused.withLock { $0 } == [.noPlayer, .notAPlayer("x")])
  }
}
