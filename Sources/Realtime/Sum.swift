public import CRealtime

/// Adds the wires that meet at one port, in the order of the file; the compiler of plans puts it where they meet.
public struct Sum: ~Copyable, Block {
  /// It has none.
  public typealias Settings = UInt8

  /// Makes a sum.
  public init() {}

  /// One output, made of all inputs. [audio]
  @_noLocks
  public mutating func process(_ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
    let out = cycle.output(io, 0)
    vg_copy(out, cycle.input(io, 0), cycle.count)
    var i: UInt32 = 1
    while i < io.pointee.inputCount {
      vg_add(out, cycle.input(io, i), cycle.count)
      i &+= 1
    }
  }

  /// Written out, because this module cannot specialise its own generic across files in debug builds.
  public static var processing: vg_process {
    { op, segment in
      op.pointee.state.assumingMemoryBound(to: Sum.self).pointee.process(
        op.pointee.io, op.pointee.settings.assumingMemoryBound(to: UInt8.self), Cycle(segment))
    }
  }
}
