import Realtime
import Synchronization
import Testing

@Suite struct HostTransportWordsTests {
  let transport = HostTransport()
  var words: UnsafeMutablePointer<HostTransportWords> { transport.words }
  var state: UInt32 { words.pointee.state.load(ordering: .acquiring) }
  var wanted: Int64 { words.pointee.wanted.load(ordering: .acquiring) }

  var isFollowed: Bool { words.pointee.isFollowed }
  func isReady(for place: Int64) -> Bool { words.pointee.isReady(for: place) }
  func follow() -> Int? { words.pointee.follow() }

  @Test func `without a server there is no transport and nobody to lead`() {
    #expect(state == HostTransportWords.State.none.rawValue)
    #expect(transport.lead == nil)
    #expect(!isFollowed)
    #expect(isReady(for: 5))
  }

  @Test func `eight may follow, and all of them must be ready for the same place`() {
    let places = (0..<8).compactMap { _ in follow() }
    #expect(places == Array(0..<8))
    #expect(follow() == nil)
    #expect(isFollowed)
    for place in places {
      #expect(!isReady(for: 480))
      words.pointee.ready[place].store(480, ordering: .releasing)
    }
    #expect(isReady(for: 480))
    #expect(!isReady(for: 481))
    for place in places { words.pointee.leave(place) }
    #expect(!isFollowed)
  }

  @Test func `the place to be ready for is where the transport stands or waits, not where it rolls`() {
    words.pointee.note(.stopped, at: 10)
    #expect(wanted == 10)
    words.pointee.note(.starting, at: 20)
    #expect(wanted == 20)
    words.pointee.note(.rolling, at: 276)
    #expect(wanted == 20)
    #expect(words.pointee.frame.load(ordering: .relaxed) == 276)
    #expect(state == HostTransportWords.State.rolling.rawValue)
  }

  @Test func `one who comes while it rolls shall be ready from there`() {
    words.pointee.note(.stopped, at: 10)
    words.pointee.noteNone()
    #expect(state == HostTransportWords.State.none.rawValue)
    words.pointee.note(.rolling, at: 5_000)
    #expect(wanted == 5_000)
  }
}
