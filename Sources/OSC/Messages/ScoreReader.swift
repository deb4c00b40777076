/// Reads a timed score, the binary format of SuperCollider's non-realtime mode that `ScoreWriter` writes: a 32-bit big-endian
/// size before every bundle, whose time tag counts seconds from the start.
public struct ScoreReader: Sendable {
  /// What stands at one moment.
  public struct Entry: Equatable, Sendable {
    /// Seconds from the start.
    public let seconds: Double
    /// In order.
    public let messages: [Message]
  }

  /// What is wrong with a score, and at which byte.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Equatable, Sendable {
      /// It ends within an entry.
      case torn
      /// An entry of no possible size.
      case size(Int)
      /// An entry that is no bundle.
      case noBundle
      /// A bundle that breaks OSC's encoding.
      case packet(PacketError)
      /// An entry before the one that it follows, in seconds.
      case back(from: Double, to: Double)
    }

    /// Where the entry begins, in bytes.
    public let byte: Int
    /// What is wrong with it.
    public let reason: Reason

    /// A fault of an entry.
    public init(byte: Int, reason: Reason) { (self.byte, self.reason) = (byte, reason) }

    /// What is wrong, where, and what a score is.
    public var description: String {
      let what =
        switch reason {
        case .torn: "it ends within an entry"
        case .size(let size): "an entry of \(size) bytes, where a bundle has 16…\(Self.mostBytes)"
        case .noBundle: "an entry that is no OSC bundle"
        case .packet(let fault): "an entry that breaks OSC: \(fault)"
        case .back(let before, let after):
          "an entry at \(after) s behind one at \(before) s, and time does not go back"
        }
      return "byte \(byte): \(what)"
    }

    /// The most bytes of an entry.
    public static let mostBytes = 65_536
  }

  /// Reads all entries; none of an empty score.
  public static func entries(_ bytes: [UInt8]) throws(Fault) -> [Entry] {
    let (entries, fault) = try wholeEntries(bytes)
    if let fault { throw fault }
    return entries
  }

  /// Reads the entries that are whole of a score that may be torn off at its end, and where it is.
  public static func wholeEntries(_ bytes: [UInt8]) throws(Fault) -> (entries: [Entry], torn: Fault?) {
    let reader = PacketReader(byteLimit: Fault.mostBytes)
    var entries: [Entry] = []
    var at = 0
    while at < bytes.count {
      let torn = Fault(byte: at, reason: .torn)
      guard bytes.count - at >= 4 else { return (entries, torn) }
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      // After a power cut a file may have the length that it had, and zeros where nothing was written.
      if size == 0, bytes[at...].allSatisfy({ $0 == 0 }) { return (entries, torn) }
      guard (16...Fault.mostBytes).contains(size) else { throw Fault(byte: at, reason: .size(size)) }
      guard size <= bytes.count - at - 4 else { return (entries, torn) }
      let packet: Packet
      do { packet = try reader.read(Array(bytes[at + 4..<at + 4 + size])) } catch {
        guard case .packet(let fault, _) = error else { throw Fault(byte: at, reason: .noBundle) }
        throw Fault(byte: at, reason: .packet(fault))
      }
      guard case .bundle(let time, _) = packet else { throw Fault(byte: at, reason: .noBundle) }
      if let last = entries.last, time.seconds < last.seconds {
        throw Fault(byte: at, reason: .back(from: last.seconds, to: time.seconds))
      }
      entries.append(Entry(seconds: time.seconds, messages: packet.messages))
      at += 4 + size
    }
    return (entries, nil)
  }
}
