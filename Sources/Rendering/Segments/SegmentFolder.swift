import Glibc
import System

/// The folder of a film that is made by parts: for each segment a file of its pictures, and one of its sound. [any]
///
/// A file has its name when it is whole. Until then it is called `.segment-…part`, by a name that no other has.
public struct SegmentFolder: Equatable, Sendable {
  /// Where it lies.
  public let path: String
  /// What the files of pictures are.
  public let format: VideoFormat

  /// What is behind the name of a film where its segments lie.
  public static let ending = ".parts"

  /// A folder of segments.
  public init(_ path: String, _ format: VideoFormat) {
    self.path = path
    self.format = format
  }

  /// The pictures of a segment, counted from 0; names count from 1.
  public func pictures(_ segment: Int) -> String { "\(path)/\(stem(segment)).\(format.rawValue)" }

  /// The sound of a segment: plain samples, 32-bit floats, little-endian, channel by channel within each.
  public func sound(_ segment: Int) -> String { "\(path)/\(stem(segment)).f32" }

  private func stem(_ segment: Int) -> String {
    let digits = String(segment + 1)
    return "segment-" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// Whether a segment is there. Its pictures come last, so they stand for its sound.
  public func holds(_ segment: Int) -> Bool { access(pictures(segment), R_OK) == 0 }

  /// A name for pictures that are being written.
  func draft(_ segment: Int) -> String {
    "\(path)/.\(stem(segment))-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
  }

  /// Removes what runs that were ended by force have left of segments.
  func removeDrafts(of segments: Range<Int>) {
    let names = PictureSequenceName.names(in: path).filter {
      $0.hasPrefix(".segment-") && $0.hasSuffix(".part")
    }
    for name in names {
      let digits = name.dropFirst(".segment-".count).prefix { $0 != "-" }
      if let number = Int(digits), segments.contains(number - 1) { unlink("\(path)/\(name)") }
    }
  }

  /// Removes all segments, whole ones or not; what else lies there stays.
  public func removeSegments() {
    for name in PictureSequenceName.names(in: path)
    where name.hasPrefix("segment-") || name.hasPrefix(".segment-") {
      unlink("\(path)/\(name)")
    }
  }
}

/// How a film is cut into segments, each encoded by itself: at the same places whichever parts make them.
public struct SegmentGrid: Equatable, Sendable {
  /// Pictures of a segment; the last one may have fewer.
  public let length: Int

  /// Segments of so many pictures, 1 or more.
  public init(length: Int) { self.length = max(1, length) }

  /// The segment that a frame belongs to, from 0; frames count from 1.
  public func segment(of frame: Int64) -> Int { Int((frame - 1) / Int64(length)) }

  /// The frame before the first of a segment.
  public func start(of segment: Int) -> Int64 { Int64(segment) * Int64(length) }

  /// How many segments hold so many pictures.
  public func count(of pictures: Int64) -> Int { Int((pictures + Int64(length) - 1) / Int64(length)) }
}
