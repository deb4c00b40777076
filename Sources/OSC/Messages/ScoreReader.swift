/// Reads a timed score in the binary format of SuperCollider's non-realtime mode, which `ScoreWriter` writes:
/// bundles, each after its size in 32 bits, big-endian. Their time tags count seconds from the start.
public struct ScoreReader: Sendable {
  /// The messages of one time.
  public struct Entry: Equatable, Sendable {
    /// Seconds from the start.
    public let seconds: Double
    /// The messages in order.
    public let messages: [Message]
  }

  /// A fault of a score, with the byte of its entry.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of faults.
    public enum Reason: Equatable, Sendable {
      /// The score ends within an entry.
      case torn
      /// The entry has an impossible size.
      case size(Int)
      /// The entry is not a bundle.
      case noBundle
      /// The bundle breaks OSC's encoding.
      case packet(PacketError)
      /// The entry's time is before that of the entry before it, in seconds.
      case back(from: Double, to: Double)
    }

    /// The offset of the entry, in bytes.
    public let byte: Int
    /// The kind of the fault.
    public let reason: Reason

    /// Makes a fault.
    public init(byte: Int, reason: Reason) { (self.byte, self.reason) = (byte, reason) }

    /// The fault and its place.
    public var description: String {
      let what =
        switch reason {
        case .torn: "it ends within an entry"
        case .size(let size): "an entry of \(size) bytes, where a bundle has 16…\(Self.mostBytes)"
        case .noBundle: "an entry that is no OSC bundle"
        case .packet(let fault): "an entry that breaks OSC: \(fault)"
        case .back(let before, let after):
          "an entry at \(after) s follows one at \(before) s, but times must not decrease"
        }
      return "byte \(byte): \(what)"
    }

    /// Maximum bytes of an entry.
    public static let mostBytes = 65_536
  }

  /// Decodes all entries; an empty score has none.
  public static func entries(_ bytes: [UInt8]) throws(Fault) -> [Entry] {
    let (entries, fault) = try wholeEntries(bytes)
    if let fault { throw fault }
    return entries
  }

  /// Decodes the complete entries of a score that may be cut off at its end, and returns where it is cut off.
  public static func wholeEntries(_ bytes: [UInt8]) throws(Fault) -> (entries: [Entry], torn: Fault?) {
    // After a power failure a file may have its full length, but zeros where data was not written.
    let written = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
    var entries: [Entry] = []
    var at = 0
    while at < bytes.count {
      let torn = Fault(byte: at, reason: .torn)
      guard bytes.count - at >= 4 else { return (entries, torn) }
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      if written <= at { return (entries, torn) }
      guard (16...Fault.mostBytes).contains(size) else { throw Fault(byte: at, reason: .size(size)) }
      guard size <= bytes.count - at - 4 else { return (entries, torn) }
      do throws(Fault) {
        entries.append(try entry(bytes[at + 4..<at + 4 + size], at: at, after: entries.last))
      } catch {
        if written < at + Self.faultyLength(error.reason, size) { return (entries, torn) }
        throw error
      }
      at += 4 + size
    }
    return (entries, nil)
  }

  /// The length of the part of an entry that a fault depends on, from the entry's first byte: up to the end of the time
  /// tag, or the whole entry. If the written bytes end within this part, the score is cut off there.
  private static func faultyLength(_ reason: Fault.Reason, _ size: Int) -> Int {
    if case .back = reason { 4 + 16 } else { 4 + size }
  }

  /// Decodes the entry whose size field is at offset `byte`.
  private static func entry(
    _ bytes: ArraySlice<UInt8>, at byte: Int, after last: Entry?
  ) throws(Fault) -> Entry {
    let packet: Packet
    do { packet = try PacketReader(byteLimit: Fault.mostBytes).read(Array(bytes)) } catch {
      guard case .packet(let fault, _) = error else { throw Fault(byte: byte, reason: .noBundle) }
      throw Fault(byte: byte, reason: .packet(fault))
    }
    if case .packet(let fault, _)? = packet.undecodable.first?.fault {
      throw Fault(byte: byte, reason: .packet(fault))
    }
    guard case .bundle(let time, _) = packet else { throw Fault(byte: byte, reason: .noBundle) }
    if let last, time.seconds < last.seconds {
      throw Fault(byte: byte, reason: .back(from: last.seconds, to: time.seconds))
    }
    return Entry(seconds: time.seconds, messages: packet.messages)
  }
}
