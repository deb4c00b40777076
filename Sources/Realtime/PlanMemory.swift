/// Memory that a plan lives in: allocated piece by piece before the plan, freed with it.
/// [control] makes it, [any] frees it.
public final class PlanMemory {
  private var pieces: [UnsafeMutableRawPointer] = []
  private var kept: [AnyObject] = []

  /// No memory yet.
  public init() {}
  deinit { for piece in pieces { piece.deallocate() } }

  /// Keeps something alive as long as the memory.
  public func keep(_ thing: AnyObject) { kept.append(thing) }

  /// Room for `count` values, begun as zero bytes, on a cache line of its own.
  public func room<T: BitwiseCopyable>(for count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    let bytes = max(64, count * MemoryLayout<T>.stride)
    let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    piece.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    pieces.append(piece)
    return piece.bindMemory(to: T.self, capacity: max(1, count))
  }
}
