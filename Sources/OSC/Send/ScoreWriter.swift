import CLiblo
import Glibc
import System

/// Writes packets as a timed score in the binary format of SuperCollider's non-realtime mode. [one]
///
/// Each entry is a size in 32 bits, big-endian, and a bundle whose time tag counts seconds from the start. After an
/// error, such as a full disk, nothing more is written. The error stays in `fault` and is thrown by `finish()`, so
/// that `write` can be called in a closure.
public final class ScoreWriter {
  /// The first error, after which nothing is written.
  public private(set) var fault: OSCError?
  /// Packets written.
  public private(set) var count = 0

  private static let blockSize = 65_536
  private let path: String
  private let descriptor: Int32
  /// Whether the descriptor is closed at the end.
  private let closes: Bool
  private var buffer: [UInt8] = []
  /// The time tag of the last packet.
  private var latest = TimeTag(rawValue: 0)
  private var isOpen = true

  /// Creates a file. An existing file is an error unless `replacing`.
  public convenience init(path: String, replacing: Bool = false) throws(OSCError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL)
    let descriptor = open(path, flags, 0o644)
    guard descriptor >= 0 else {
      throw errno == EEXIST ? .fileExists(path) : .file(path, errno: errno)
    }
    self.init(descriptor: descriptor, named: path, closes: true)
  }

  /// Writes to an open descriptor, which is closed at the end only with `closes`. `name` is used in errors.
  public init(descriptor: Int32, named name: String = "score", closes: Bool = false) {
    self.descriptor = descriptor
    self.closes = closes
    path = name
    buffer.reserveCapacity(Self.blockSize + 1500)
  }

  deinit { end() }

  /// Appends a packet. A message is wrapped in a bundle; a bundle gets `seconds` in place of its own time tag.
  /// - Parameter seconds: from the start. A time before that of the packet before is raised to it, because players
  ///   read in order.
  public func write(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    guard fault == nil, isOpen, packet.count >= 4 else { return }
    let tag = TimeTag(seconds: seconds)
    if tag.rawValue > latest.rawValue { latest = tag }
    count += 1
    Self.append(packet, at: latest, to: &buffer)
    if buffer.count >= Self.blockSize { flush() }
  }

  /// Writes what is buffered and closes the file. Throws the first error.
  ///
  /// Later calls have no effect.
  public func finish() throws(OSCError) {
    end()
    if let fault { throw fault }
  }

  /// Appends the entry of a packet of at least 4 bytes.
  public static func append(_ packet: UnsafeRawBufferPointer, at time: TimeTag, to bytes: inout [UInt8]) {
    let isBundle = packet[0] == UInt8(ascii: "#") && packet.count >= BundleWriter.headSize
    let around = isBundle ? 0 : BundleWriter.headSize + BundleWriter.elementHeadSize
    BundleWriter.append(UInt32(packet.count + around), to: &bytes)
    BundleWriter.begin(&bytes, at: time)
    if isBundle {
      bytes.append(contentsOf: packet[BundleWriter.headSize...])
    } else {
      BundleWriter.add(packet, to: &bytes)
    }
  }

  private func flush() {
    if fault == nil, let error = Descriptor.write(buffer, to: descriptor) {
      fault = .file(path, errno: error.number)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func end() {
    guard isOpen else { return }
    isOpen = false
    flush()
    // Some file systems report a full disk only on close.
    if closes, close(descriptor) != 0, fault == nil { fault = .file(path, errno: errno) }
  }
}
