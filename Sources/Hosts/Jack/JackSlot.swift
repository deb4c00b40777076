import CJack
import Synchronization

/// One row of the table that says which JACK port stands behind which port number. The control side writes it, the
/// callback reads it in every cycle.
struct JackSlot: ~Copyable {
  /// What the callback does with the port.
  static var unconnected: UInt8 { @_noLocks get { 0 } }
  static var input: UInt8 { @_noLocks get { 1 } }
  static var output: UInt8 { @_noLocks get { 2 } }

  /// JACK's handle of the port; nil for a number that no port has.
  let handle = Atomic<UnsafeMutableRawPointer?>(nil)
  /// `unconnected` for an input that nothing is connected to, `input` or `output`.
  let kind = Atomic<UInt8>(0)
}
