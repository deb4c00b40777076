import Glibc
import System
import Testing

/// Memory that C++ deletes while another thread may read it.
@Suite struct DeferredDeletesTests {
  /// `operator delete`, as libraries in C++ find it.
  private func operatorDelete() throws -> @convention(c) (UnsafeMutableRawPointer?) -> Void {
    let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "_ZdlPv"))
    return unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
  }

  @Test func `what a library deletes is kept unchanged until it is freed`() throws {
    let delete = try operatorDelete()
    let blocks = (0..<3).map { number in
      let block = malloc(24)!
      block.storeBytes(of: 1000 + number, as: Int.self)
      return block
    }
    var deletes = DeferredDeletes()
    deletes.collect {
      delete(blocks[0])
      delete(nil)
      delete(blocks[1])
    }
    deletes.collect { delete(blocks[2]) }
    let kept = deletes.count
    #expect(kept == 3)
    #expect(blocks.map { $0.load(as: Int.self) } == [1000, 1001, 1002])
    // Memory that is still taken is not given to others.
    let others = (0..<100).map { _ in malloc(24)! }
    #expect(Set(others).isDisjoint(with: blocks))
    for other in others { delete(other) }
    deletes.free()
    let left = deletes.count
    #expect(left == 0)
  }
}
