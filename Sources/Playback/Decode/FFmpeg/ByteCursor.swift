import System

#if FFmpeg
  import CFfmpeg
  import Glibc

  /// The I/O callbacks by which FFmpeg reads a file: they use an open descriptor, so FFmpeg opens nothing by name.
  /// [one]
  final class ByteCursor {
    private let file: RegularFile
    /// The byte that is read next.
    private var position: Int64 = 0
    /// Bytes that may be read until `refill`: a broken index must not keep the disk busy for ever.
    private var bytesLeft = ByteCursor.mostBytes
    /// Reads and seeks since `refill`.
    private var calls = 0
    /// The most bytes that FFmpeg may read in one step: to open the file, to find a packet, or to seek. The largest index
    /// of a real file is far below. As it is checked before a read, the last read may exceed it.
    private static let mostBytes: Int64 = 96 << 20
    /// The most reads and seeks of a step; both fail afterwards.
    private static let mostCalls = 200_000

    init(_ file: RegularFile) { self.file = file }

    /// Begins another step with fresh limits.
    func refill() {
      bytesLeft = ByteCursor.mostBytes
      calls = 0
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
      calls += 1
      guard bytesLeft > 0, calls < ByteCursor.mostCalls else { return vg_AVERROR_EIO }
      let given = file.read(bytes, count: count, at: position)
      if given <= 0 { return given < 0 ? vg_AVERROR_EIO : vg_AVERROR_EOF }
      position += Int64(given)
      bytesLeft -= Int64(given)
      return Int32(given)
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
      calls += 1
      guard calls < ByteCursor.mostCalls else { return Int64(vg_AVERROR_EIO) }
      let base: Int64
      switch whence & ~AVSEEK_FORCE {
      case AVSEEK_SIZE: return file.size
      case SEEK_SET: base = 0
      case SEEK_CUR: base = position
      case SEEK_END: base = file.size
      default: return -1
      }
      let (target, isTooFar) = base.addingReportingOverflow(offset)
      guard !isTooFar, target >= 0 else { return -1 }
      position = target
      return target
    }

    /// The callbacks for `avio_alloc_context`.
    static let reading:
      @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        cursor, bytes, count in
        guard let cursor, let bytes, count > 0 else { return vg_AVERROR_EOF }
        return Unmanaged<ByteCursor>.fromOpaque(cursor).takeUnretainedValue().read(bytes, Int(count))
      }
    static let seeking: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
      cursor, offset, whence in
      guard let cursor else { return -1 }
      return Unmanaged<ByteCursor>.fromOpaque(cursor).takeUnretainedValue().seek(offset, whence)
    }
  }
#endif
