import Realtime
import Synchronization

/// The ways by which firings reach the audio half of a bank, and alerts its frame half; kept from plan to plan.
/// [any] gives, [audio] and [frame] take.
final class SoundOrders: @unchecked Sendable {
  /// What is to be done at once.
  let now: UnsafeMutablePointer<FiringQueue>
  /// What is to be done when a frame begins. [frame] gives.
  let later: UnsafeMutablePointer<FiringQueue>
  /// By number of the sound: alerts that no frame has told yet.
  private let alerts: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    now = .allocate(capacity: 1)
    now.initialize(to: FiringQueue())
    later = .allocate(capacity: 1)
    later.initialize(to: FiringQueue())
    alerts = .allocate(capacity: Firing.numbers)
    for i in 0..<Firing.numbers { (alerts + i).initialize(to: Atomic(0)) }
  }

  deinit {
    now.deinitialize(count: 1)
    now.deallocate()
    later.deinitialize(count: 1)
    later.deallocate()
    alerts.deallocate()
  }

  /// Firings that found no place.
  var lost: UInt64 { now.pointee.lost.now() + later.pointee.lost.now() }

  /// Asks for an alert in the next frame.
  func alert(_ number: Int) { alerts[number].add(1, ordering: .relaxed) }

  /// How many alerts of a sound the next frame has to tell. [frame]
  func takeAlerts(_ number: Int) -> UInt32 {
    alerts[number].load(ordering: .relaxed) == 0 ? 0 : alerts[number].exchange(0, ordering: .relaxed)
  }

  /// Nothing that waits shall sound any more: the server is away, and what is fired meanwhile is over when it is back.
  /// [frame]
  func forget() {
    now.pointee.forget()
    later.pointee.forget()
  }
}
