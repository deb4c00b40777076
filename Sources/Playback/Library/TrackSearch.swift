import Glibc

/// Searches tracks by words of their titles, files, folders and tags. [control]
public struct TrackSearch: Sendable {
  /// The folded texts of all tracks, concatenated.
  private var text: [UInt8] = []
  /// The beginning of each text, and the end of the last.
  private var starts: [Int] = [0]

  /// Indexes the tracks in their order, without the folder that they have in common.
  public init(_ tracks: [Track]) {
    let common = Self.commonFolder(of: tracks)
    text.reserveCapacity(tracks.count * 64)
    starts.reserveCapacity(tracks.count + 1)
    for track in tracks {
      FoldedText.append(String(Substring(track.path.utf8.dropFirst(common.utf8.count))), to: &text)
      if let title = track.title {
        text.append(0x0A)
        FoldedText.append(title, to: &text)
      }
      starts.append(text.count)
    }
  }

  /// Folded tags by track, which arrive later; empty while there are none.
  private var learnt: [[UInt8]] = []

  /// Adds the tags of a track to the index.
  public mutating func learn(_ found: TagReader.Found) {
    guard (0..<count).contains(found.number) else { return }
    if learnt.isEmpty { learnt = Array(repeating: [], count: count) }
    learnt[found.number] = found.folded
  }

  /// Number of tracks.
  public var count: Int { starts.count - 1 }

  /// The tracks that contain all words of a query, from 0, in their order. Case and accents are ignored.
  ///
  /// - Parameters:
  ///   - query: words separated by spaces; without words, all tracks match.
  ///   - numbers: the tracks to search; nil: all.
  public func numbers(matching query: String, among numbers: [Int]? = nil) -> [Int] {
    let words = FoldedText.bytes(query).split { $0 == 0x20 || $0 == 0x09 }.map(Array.init)
    guard !words.isEmpty else { return numbers ?? Array(0..<count) }
    var found: [Int] = []
    text.withUnsafeBytes { all in
      func test(_ number: Int) {
        let part = UnsafeRawBufferPointer(rebasing: all[starts[number]..<starts[number + 1]])
        let tags = learnt.isEmpty ? [] : learnt[number]
        let hasAll = words.allSatisfy { word in
          Self.has(word, in: part) || !tags.isEmpty && tags.withUnsafeBytes { Self.has(word, in: $0) }
        }
        if hasAll { found.append(number) }
      }
      if let numbers {
        for number in numbers where number >= 0 && number < count { test(number) }
      } else {
        for number in 0..<count { test(number) }
      }
    }
    return found
  }

  private static func has(_ word: [UInt8], in part: UnsafeRawBufferPointer) -> Bool {
    word.withUnsafeBytes { word in
      guard let first = word.baseAddress, var place = part.baseAddress else { return false }
      var left = part.count - word.count + 1
      while left > 0, let hit = memchr(place, Int32(word[0]), left) {
        if memcmp(hit, first, word.count) == 0 { return true }
        left -= UnsafeRawPointer(hit) - place + 1
        place = UnsafeRawPointer(hit) + 1
      }
      return false
    }
  }

  /// The innermost folder that contains all tracks, with a slash at its end; empty if there is none.
  public static func commonFolder(of tracks: [Track]) -> String {
    guard let first = tracks.first else { return "" }
    var common = Array(first.path.utf8)
    func cut() { common.removeSubrange((common.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...) }
    cut()
    for track in tracks.dropFirst() {
      var track = track.path
      let same = track.withUTF8 { path in
        var same = 0
        while same < min(path.count, common.count), path[same] == common[same] { same += 1 }
        return same
      }
      if same < common.count {
        common.removeSubrange(same...)
        cut()
      }
      if common.isEmpty { break }
    }
    return String(decoding: common, as: UTF8.self)
  }
}
