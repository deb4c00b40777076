/// Bytes as hexadecimal digits, to compare packets.
func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// Bytes from hexadecimal digits; spaces are ignored.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
