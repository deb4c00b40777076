/// The compiler's check of this module's block: if it could allocate, lock or count references, the build stops.
@_noLocks
func audit(_ sum: UnsafeMutablePointer<Sum>, _ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
  sum.pointee.process(io, settings, cycle)
}
