import System
import Testing

@testable import OSC

/// Hundreds of random bundles whose content is known.
@Suite struct GeneratedBundleTests {
  @Test
  func
    `500 nested bundles give their messages in order and count skipped ones, or are refused at the wrong byte`()
  {
    var random = RandomStream(seed: 0x05C)
    var broken = 0
    for number in 0..<500 {
      let made = MadeBundle(&random)
      do {
        let read = try PacketReader().read(made.bytes)
        #expect(made.fault == nil, "\(number): \(hex(made.bytes))")
        #expect(read.messages == made.messages, "\(number): \(hex(made.bytes))")
        #expect(
          read.undecodable.map(\.address) == made.undecodable.map(\.address), "\(number): \(hex(made.bytes))")
        #expect(
          read.undecodable.map(\.fault) == made.undecodable.map(\.fault), "\(number): \(hex(made.bytes))")
      } catch {
        #expect(error == made.fault, "\(number): \(hex(made.bytes))")
        broken += 1
      }
    }
    #expect(broken > 60 && broken < 250)
  }
}

/// A bundle of messages and bundles, with the result of reading it.
private struct MadeBundle {
  private(set) var bytes: [UInt8] = []
  private(set) var messages: [Message] = []
  private(set) var undecodable: [(address: String, fault: OSCError)] = []
  /// The place at which the whole is refused, if one of its sizes is wrong.
  private(set) var fault: OSCError?
  /// The places of sizes, and the end of the bundle around each.
  private var sizes: [(place: Int, end: Int)] = []

  init(_ random: inout RandomStream) {
    bundle(depth: 1, &random)
    if Int.random(in: 0...3, using: &random) == 0 { spoil(&random) }
  }

  private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Bytes padded with zeros to whole words; a text has at least one zero.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
  }

  private static func text(_ text: String) -> [UInt8] { padded(Array(text.utf8) + [0]) }

  // MARK: - Bundles

  private mutating func bundle(depth: Int, _ random: inout RandomStream) {
    bytes += Array("#bundle\0".utf8) + Self.big(UInt64.random(in: 0...(.max), using: &random))
    var own: [Int] = []
    for _ in 0..<Int.random(in: depth == 1 ? 1...5 : 0...4, using: &random) {
      let place = bytes.count
      own.append(place)
      bytes += [0, 0, 0, 0]
      // The reader accepts bundles nested eight deep.
      if depth < 8, Int.random(in: 0...2, using: &random) == 0 {
        bundle(depth: depth + 1, &random)
      } else {
        message(&random)
      }
      bytes.replaceSubrange(place..<place + 4, with: Self.big(UInt32(bytes.count - place - 4)))
    }
    sizes += own.map { ($0, bytes.count) }
  }

  /// Makes one of the sizes wrong. Everything before it is valid, so that the reader reaches it.
  private mutating func spoil(_ random: inout RandomStream) {
    guard let (place, end) = sizes.randomElement(using: &random) else { return }
    let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    let left = end - place - 4
    let (wrong, defect, at): (Int, PacketError, Int) =
      switch Int.random(in: 0...3, using: &random) {
      case 0: (0, .size, place)
      case 1: (-4 * .random(in: 1...1000, using: &random), .size, place)
      case 2: (left + 4 * .random(in: 1...1000, using: &random), .truncated, place)
      default: (size - .random(in: 1...3, using: &random), .ragged, place + 4)
      }
    bytes.replaceSubrange(place..<place + 4, with: Self.big(Int32(wrong)))
    fault = .packet(defect, at: at)
  }

  // MARK: - Messages

  private mutating func message(_ random: inout RandomStream) {
    let parts = ["visgraph", "node", "vol", "gain", "1", "master", "a_b-c", "x.y"]
    let address = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      "/" + parts.randomElement(using: &random)!
    }
    .joined()
    bytes += Self.text(address)
    let tagsAt = bytes.count
    switch Int.random(in: 0...7, using: &random) {
    case 0:
      // No type tags, and no arguments.
      messages.append(Message(address))
    case 1:
      bytes += [UInt8.random(in: 0...43, using: &random), 0, 0, 1]
      undecodable.append((address, .packet(.noTypeTags, at: tagsAt)))
    case 2: unknown(address, &random)
    default:
      let arguments = (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.argument(&random) }
      bytes += Self.text("," + arguments.map(\.tag).joined()) + arguments.flatMap(\.bytes)
      messages.append(Message(address, arguments: arguments.map(\.argument)))
    }
  }

  /// A message with an unknown type tag among known ones, and any bytes after their arguments.
  private mutating func unknown(_ address: String, _ random: inout RandomStream) {
    let before = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.argument(&random) }
    let after = ["", "i", "cc", "[s]"].randomElement(using: &random)!
    let tag = ["c", "r", "m", "S", "[", "]", "x", "~", "\u{7}"].randomElement(using: &random)!
    let fault = OSCError.packet(.unknownType(Array(tag.utf8)[0]), at: bytes.count + 1 + before.count)
    bytes += Self.text("," + before.map(\.tag).joined() + tag + after) + before.flatMap(\.bytes)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      bytes += Self.big(UInt32.random(in: 0...(.max), using: &random))
    }
    undecodable.append((address, fault))
  }

  private static func argument(
    _ random: inout RandomStream
  ) -> (tag: String, bytes: [UInt8], argument: Argument) {
    let whole = Int32.random(in: .min...(.max), using: &random)
    let wide = UInt64.random(in: 0...(.max), using: &random)
    let words = ["", "a", "abc", "Gr\u{FC}\u{DF}e", "夜", "four", "#bundle", "/a"].randomElement(
      using: &random)!
    switch Int.random(in: 0...10, using: &random) {
    case 0: return ("i", big(whole), .int(whole))
    case 1: return ("f", big(Float(whole).bitPattern), .float(Float(whole)))
    case 2: return ("s", text(words), .string(words))
    case 3:
      let blob = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      return ("b", big(UInt32(blob.count)) + padded(blob), .blob(blob))
    case 4: return ("h", big(wide), .int64(Int64(bitPattern: wide)))
    case 5: return ("d", big(Double(whole).bitPattern), .double(Double(whole)))
    case 6: return ("t", big(wide), .timeTag(TimeTag(rawValue: wide)))
    case 7: return ("T", [], .bool(true))
    case 8: return ("F", [], .bool(false))
    case 9: return ("N", [], .null)
    default: return ("I", [], .impulse)
    }
  }
}
