import CRealtime
import Realtime

/// The compiler's check of this module's own blocks: if one could allocate, lock or count references, the build stops.
@_noLocks
func audit(_ sum: UnsafeMutablePointer<Sum>, _ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
  sum.pointee.process(io, settings, cycle)
}

/// The same for the fade of a wire.
@_noLocks
func audit(
  _ fade: UnsafeMutablePointer<WireFade>, _ io: IO, _ settings: UnsafePointer<WireFade.Settings>,
  _ cycle: Cycle
) {
  fade.pointee.process(io, settings, cycle)
}
