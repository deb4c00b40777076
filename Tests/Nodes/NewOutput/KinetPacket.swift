import DMX

/// Packets of one universe of KiNET 1 (DMX out), encoded once and patched in place.
final class KinetPacket {
  static let size = 21 + SlotAddress.slots
  static let port: UInt16 = 6038
  private let bytes: UnsafeMutableRawBufferPointer

  init(universe: Int) {
    bytes = .allocate(byteCount: Self.size, alignment: 8)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    // The magic number, version 1, DMX out.
    for (place, byte) in [UInt8]([0x04, 0x01, 0xDC, 0x4A, 0x01, 0x00, 0x01, 0x01]).enumerated() {
      bytes[place] = byte
    }
    bytes.storeBytes(of: UInt32(universe).littleEndian, toByteOffset: 16, as: UInt32.self)
  }

  deinit { bytes.deallocate() }

  /// The slots, after the start code 0.
  var slots: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableRawBufferPointer(rebasing: bytes[21...]).bindMemory(to: UInt8.self)
  }

  /// The next packet, valid until the next call.
  func next() -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
}
