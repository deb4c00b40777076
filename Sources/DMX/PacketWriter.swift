/// Memory for one packet, written by offset. Numbers are written big-endian.
struct PacketWriter {
  let bytes: UnsafeMutableRawBufferPointer

  /// Allocates zeros, which the owner frees.
  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 8)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  func put(_ value: UInt8, at place: Int) { bytes.storeBytes(of: value, toByteOffset: place, as: UInt8.self) }

  func put(_ value: UInt16, at place: Int) {
    bytes.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt16.self)
  }

  func put(_ value: UInt32, at place: Int) {
    bytes.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt32.self)
  }

  func put(_ values: some Collection<UInt8>, at place: Int) {
    for (index, value) in values.enumerated() { put(value, at: place + index) }
  }
}
