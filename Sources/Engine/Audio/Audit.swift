import CRealtime
import Realtime

/// Proves at compile time that this module's blocks do not allocate, lock or count references: `@_noLocks` refuses
/// them otherwise. It is never called.
@_noLocks
func audit(_ sum: UnsafeMutablePointer<Sum>, _ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
  sum.pointee.process(io, settings, cycle)
}

/// The same proof for the fade of a wire.
@_noLocks
func audit(
  _ fade: UnsafeMutablePointer<WireFade>, _ io: IO, _ settings: UnsafePointer<WireFade.Settings>,
  _ cycle: Cycle
) {
  fade.pointee.process(io, settings, cycle)
}
