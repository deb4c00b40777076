import Graphs
import Hosts
import Playback
import System
import Testing

@testable import Controls
import Engine

@Suite struct CommandRouterTests {
  @Test func `of several values of a setting the newest waits`() {
    let wakes = Locked(0)
    let router = CommandRouter(show: Show()) { wakes.withLock { $0 += 1 } }
    router.perform(.set(path: "a.b", value: "1"))
    router.perform(.set(path: "a.c", value: "2"))
    router.perform(.fader(path: "a.b", 0.5))
    router.perform(.reload)
    router.perform(.set(path: "a.b", value: "3"))
    router.perform(.set(path: "a.b", value: "4"))
    #expect(
      router.takeChanges().map(\.command) == [
        .fader(path: "a.b", 0.5), .set(path: "a.c", value: "2"), .reload, .set(path: "a.b", value: "4"),
      ])
    #expect(router.takeChanges().isEmpty)
    // One thread takes all waiting changes: one wake-up.
    #expect(wakes.withLock { $0 } == 1)
    router.perform(.quit)
    #expect(wakes.withLock { $0 } == 2)
  }

  @Test func `a value that lies within another one waits behind it`() {
    let router = CommandRouter(show: Show()) {}
    router.perform(.set(path: "a.b.2", value: "1"))
    router.perform(.set(path: "a.b", value: "[0, 1]"))
    router.perform(.set(path: "a.c", value: "1"))
    router.perform(.set(path: "a.b.2", value: "2"))
    #expect(
      router.takeChanges().map(\.command) == [
        .set(path: "a.b", value: "[0, 1]"), .set(path: "a.c", value: "1"), .set(path: "a.b.2", value: "2"),
      ])
  }

  @Test func `more changes than may wait are refused`() {
    let router = CommandRouter(show: Show()) {}
    let refused = Locked<[ControlError]>([])
    for number in 0..<GraphChange.most + 2 {
      router.perform(.set(path: "a.\(number)", value: "1")) { fault in refused.withLock { $0.append(fault) } }
    }
    #expect(router.takeChanges().count == GraphChange.most)
    #expect(refused.withLock { $0.map(\.code) } == ["control-too-much", "control-too-much"])
  }

  @Test func `master and blackout take effect at once`() {
    let show = Show()
    let router = CommandRouter(show: show) {}
    router.perform(.master(0.25))
    router.perform(.blackout(true))
    #expect(show.dimmer.master == 0.25 && show.dimmer.isBlackout)
    router.perform(.blackout(false))
    #expect(!show.dimmer.isBlackout)
    #expect(router.takeChanges().isEmpty)
  }

  @Test func `without a player a transport command is refused`() {
    let router = CommandRouter(show: Show()) {}
    let refused = Locked<[ControlError]>([])
    router.perform(.transport(node: nil, .play)) { fault in refused.withLock { $0.append(fault) } }
    router.perform(.transport(node: "x", .play)) { fault in refused.withLock { $0.append(fault) } }
    #expect(refused.withLock { $0 } == [.noPlayer, .notAPlayer("x")])
  }
}
