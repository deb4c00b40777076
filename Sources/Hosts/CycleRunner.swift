import CRealtime
public import Engine
import Graphs
import Realtime

/// The body of every host's audio callback, with the engine, the table of port buffers, and the semaphore of the frame
/// thread. [audio]
public struct CycleRunner: ~Copyable {
  /// The most ports a host can have.
  public static var capacity: Int { PortNumbers.capacity }

  /// The engine, which runs the plans.
  public let engine: UnsafeMutablePointer<AudioEngine>
  /// Buffers of the running cycle by port number; nil for an input that nothing is connected to.
  public let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// Posted once after a cycle that finished a frame.
  public let frameSemaphore: UnsafeMutablePointer<sem_t>

  /// Makes a runner. [control]
  public init(engine: UnsafeMutablePointer<AudioEngine>, frameSemaphore: UnsafeMutablePointer<sem_t>) {
    self.engine = engine
    self.frameSemaphore = frameSemaphore
    ports = .allocate(capacity: Self.capacity)
    ports.initialize(repeating: nil, count: Self.capacity)
  }

  deinit { ports.deallocate() }

  /// Runs one cycle: `count` samples, any number. Returns whether a frame was finished. [audio]
  @_noLocks
  public borrowing func run(_ count: UInt32) -> Bool {
    let denormals = vg_flush_denormals()
    let time = vg_now()
    let finished = engine.pointee.finished
    var done: UInt32 = 0
    while done < count {
      done &+= engine.pointee.advance(ports: ports, offset: done, count: count &- done, time: time)
    }
    vg_restore_denormals(denormals)
    guard engine.pointee.finished != finished else { return false }
    vg_wake(frameSemaphore)
    return true
  }
}
