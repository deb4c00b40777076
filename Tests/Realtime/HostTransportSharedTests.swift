import Realtime
import Synchronization
import TestSupport
import Testing

@Suite struct HostTransportSharedTests {
  let transport = HostTransport()
  var shared: UnsafeMutablePointer<HostTransportShared> { transport.shared }
  var state: UInt32 { shared.pointee.state.load(ordering: .acquiring) }
  var wanted: Int64 { shared.pointee.wanted.load(ordering: .acquiring) }

  var isFollowed: Bool { shared.pointee.isFollowed }
  func isReady(for place: Int64) -> Bool { shared.pointee.isReady(for: place) }
  func follow() -> Int? { shared.pointee.follow() }

  @Test func `without a server there is no transport and no leader`() {
    #expect(state == HostTransportShared.State.none.rawValue)
    #expect(transport.lead == nil)
    #expect(!isFollowed)
    #expect(isReady(for: 5))
  }

  @Test func `a leader makes a million requests on a stack of 256 kB`() throws {
    let count = Atomic<Int>(0)
    transport.setLead { if $0 == .locate(7) { count.add(1, ordering: .relaxed) } }
    try onSmallStack { [transport] in
      for _ in 0..<1_000_000 { transport.ask(.locate(7)) }
    }
    transport.setLead(nil)
    transport.ask(.locate(7))
    #expect(count.load(ordering: .relaxed) == 1_000_000)
  }

  @Test func `eight players may follow, and all of them have to be ready for the same frame`() {
    let places = (0..<8).compactMap { _ in follow() }
    #expect(places == Array(0..<8))
    #expect(follow() == nil)
    #expect(isFollowed)
    for place in places {
      #expect(!isReady(for: 480))
      shared.pointee.ready[place].store(480, ordering: .releasing)
    }
    #expect(isReady(for: 480))
    #expect(!isReady(for: 481))
    for place in places { shared.pointee.leave(place) }
    #expect(!isFollowed)
  }

  @Test func `the frame to be ready for is where the transport stands or waits, not where it rolls`() {
    shared.pointee.note(.stopped, at: 10)
    #expect(wanted == 10)
    shared.pointee.note(.starting, at: 20)
    #expect(wanted == 20)
    shared.pointee.note(.rolling, at: 276)
    #expect(wanted == 20)
    #expect(shared.pointee.sample.load(ordering: .relaxed) == 276)
    #expect(state == HostTransportShared.State.rolling.rawValue)
  }

  @Test func `followers are no longer ready where the transport begins to roll`() throws {
    let slots = try [#require(follow()), #require(follow())]
    shared.pointee.note(.stopped, at: 480)
    for slot in slots { shared.pointee.ready[slot].store(480, ordering: .releasing) }
    shared.pointee.note(.starting, at: 480)
    #expect(isReady(for: 480))
    shared.pointee.leave(slots[1])
    shared.pointee.note(.rolling, at: 480)
    #expect(!isReady(for: 480))
    // While it rolls, followers may be ready again; a free slot stays free.
    shared.pointee.ready[slots[0]].store(480, ordering: .releasing)
    shared.pointee.note(.rolling, at: 736)
    #expect(isReady(for: 480))
    #expect(follow() == slots[1])
    #expect(shared.pointee.starts.load(ordering: .relaxed) == 1)
  }

  @Test func `a follower that comes while the transport rolls gets ready for its present frame`() {
    shared.pointee.note(.stopped, at: 10)
    shared.pointee.noteNone()
    #expect(state == HostTransportShared.State.none.rawValue)
    shared.pointee.note(.rolling, at: 5_000)
    #expect(wanted == 5_000)
  }
}
