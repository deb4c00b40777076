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
    // After a power cut a file may have the length that it had, and zeros where nothing was written.
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
        if written < at + Self.place(error.reason, size) { return (entries, torn) }
        throw error
      }
      at += 4 + size
    }
    return (entries, nil)
  }

  /// Up to where zeros of an entry may be why it is none, in bytes from its beginning: its time, or all of it. A time that
  /// is there and goes back is meant so.
  private static func place(_ reason: Fault.Reason, _ size: Int) -> Int {
    if case .back = reason { 4 + 16 } else { 4 + size }
  }

  private static func entry(
    _ bytes: ArraySlice<UInt8>, at byte: Int, after last: Entry?
  ) throws(Fault) -> Entry {
    let packet: Packet
    do { packet = try PacketReader(byteLimit: Fault.mostBytes).read(Array(bytes)) } catch {
      guard case .packet(let fault, _) = error else { throw Fault(byte: byte, reason: .noBundle) }
      throw Fault(byte: byte, reason: .packet(fault))
    }
    if case .packet(let fault, _)? = packet.leftOut.first?.fault {
      throw Fault(byte: byte, reason: .packet(fault))
    }
    guard case .bundle(let time, _) = packet else { throw Fault(byte: byte, reason: .noBundle) }
    if let last, time.seconds < last.seconds {
      throw Fault(byte: byte, reason: .back(from: last.seconds, to: time.seconds))
    }
    return Entry(seconds: time.seconds, messages: packet.messages)
  }
}
