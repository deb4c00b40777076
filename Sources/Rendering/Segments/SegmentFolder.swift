import Glibc
import System

/// The folder of a film that is rendered in segments: one file of pictures and one of sound for each. [any]
///
/// A file gets its name when it is complete. Until then it is called `.segment-NNNNN-RANDOM.part`.
public struct SegmentFolder: Equatable, Sendable {
  /// The path of the folder.
  public let path: String
  /// The format of the files of pictures.
  public let format: VideoFormat

  /// The suffix of a folder of segments, after the name of the film.
  public static let ending = ".parts"

  /// Refers to a folder of segments.
  public init(_ path: String, _ format: VideoFormat) {
    self.path = path
    self.format = format
  }

  /// The path of a segment's pictures. Segments count from 0, names from 1.
  public func pictures(_ segment: Int) -> String { "\(path)/\(stem(segment)).\(format.rawValue)" }

  /// The path of a segment's sound: raw interleaved samples, 32-bit floats, little-endian.
  public func sound(_ segment: Int) -> String { "\(path)/\(stem(segment)).f32" }

  private func stem(_ segment: Int) -> String {
    let digits = String(segment + 1)
    return "segment-" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// Whether a segment is complete. Its pictures get their name after its sound.
  public func holds(_ segment: Int) -> Bool { access(pictures(segment), R_OK) == 0 }

  /// A random name for pictures that are being written.
  func draft(_ segment: Int) -> String {
    "\(path)/.\(stem(segment))-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
  }

  /// Removes the incomplete files of segments, which killed processes leave behind.
  func removeDrafts(of segments: Range<Int>) {
    let names = PictureSequenceName.names(in: path).filter {
      $0.hasPrefix(".segment-") && $0.hasSuffix(".part")
    }
    for name in names {
      let digits = name.dropFirst(".segment-".count).prefix { $0 != "-" }
      if let number = Int(digits), segments.contains(number - 1) { unlink("\(path)/\(name)") }
    }
  }

  /// Removes all segments, complete or not. Other files stay.
  public func removeSegments() {
    for name in PictureSequenceName.names(in: path)
    where name.hasPrefix("segment-") || name.hasPrefix(".segment-") {
      unlink("\(path)/\(name)")
    }
  }
}

/// The cuts of a film into segments, which are encoded separately. They are at the same frames in every process.
public struct SegmentGrid: Equatable, Sendable {
  /// Pictures per segment; the last one may have fewer.
  public let length: Int

  /// Makes segments of `length` pictures, at least 1.
  public init(length: Int) { self.length = max(1, length) }

  /// The segment of a frame, from 0. Frames count from 1.
  public func segment(of frame: Int64) -> Int { Int((frame - 1) / Int64(length)) }

  /// The frame before the first one of a segment.
  public func start(of segment: Int) -> Int64 { Int64(segment) * Int64(length) }

  /// The number of segments for a number of pictures.
  public func count(of pictures: Int64) -> Int { Int((pictures + Int64(length) - 1) / Int64(length)) }
}
