import Glibc
import System

/// Reads the tags of the files of a list, one after another, on a low-priority thread of its own. No thread waits for
/// it. [any]
///
/// Tags are cached while their file stays the same, also for the next list. At most `most` files of a list are read;
/// the others keep their file names.
public final class TagReader: Sendable {
  /// The most files of a list that are read, and the most that are cached.
  public static let most = 50_000
  /// The most results that wait to be taken; then reading pauses.
  static let mostWaiting = 256

  /// The tags of a track.
  public struct Found: Sendable {
    /// The index of the track in the list, from 0.
    public let number: Int
    /// The tags; title, artist or album is there.
    public let tags: AudioTags
    /// Title, artist and album, folded for search.
    let folded: [UInt8]

    /// Makes a result.
    public init(number: Int, tags: AudioTags) {
      self.number = number
      self.tags = tags
      folded = FoldedText.bytes(
        [tags.title, tags.artist, tags.album].compactMap { $0 }.joined(separator: "\n"))
    }
  }

  fileprivate struct Kept {
    let file: FileIdentity
    let tags: AudioTags
  }

  fileprivate struct State {
    var paths: [String] = []
    var isDone: [Bool] = []
    var list = 0
    var next = 0
    var read = 0
    /// Tracks to be read first, the last element before the others.
    var wanted: [Int] = []
    var found: [Found] = []
    var kept: [String: Kept] = [:]
    var isNice = false
  }

  private let state: Shared
  private let thread: DiskThread?

  /// The state that the thread and its owner share.
  fileprivate final class Shared: Sendable {
    let state = Locked(State())
  }

  /// Makes a reader without a list; if the system cannot create a thread, it never finds anything.
  public init() {
    let state = Shared()
    self.state = state
    thread = DiskThread { state.work() }
  }

  deinit { thread?.leave() }

  /// Begins with another list, at one of its tracks.
  public func begin(_ paths: [String], at track: Int = 0) {
    state.state.withLock { state in
      state.list += 1
      state.paths = paths
      state.isDone = Array(repeating: false, count: paths.count)
      (state.next, state.read) = (max(0, min(track, paths.count - 1)), 0)
      (state.wanted, state.found) = ([], [])
    }
    thread?.wake()
  }

  /// Reads some tracks before all others, such as those on the screen.
  public func want(_ tracks: [Int]) {
    let isNew = state.state.withLock { state in
      state.wanted = tracks.reversed().filter { state.isDone.indices.contains($0) && !state.isDone[$0] }
      return !state.wanted.isEmpty
    }
    if isNew { thread?.wake() }
  }

  /// The number of results that wait to be taken.
  var waiting: Int { state.state.withLock { $0.found.count } }

  /// Takes the results since the last call.
  public func take() -> [Found] {
    state.state.withLock { state in
      defer { state.found = [] }
      return state.found
    }
  }
}

extension TagReader.Shared {
  /// Reads the next file. Returns the pause after it, in ns.
  fileprivate func work() -> Int64 {
    let job = state.withLock { state -> (number: Int, path: String, list: Int, isWanted: Bool)? in
      if !state.isNice {
        state.isNice = true
        // On Linux, 0 means the calling thread alone.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
      }
      guard state.found.count < TagReader.mostWaiting, state.read < TagReader.most else { return nil }
      var number: Int?
      while number == nil, let wanted = state.wanted.popLast() {
        if !state.isDone[wanted] { number = wanted }
      }
      let isWanted = number != nil
      // Searches the list once around.
      var steps = 0
      while number == nil, steps < state.paths.count {
        if !state.isDone[state.next] { number = state.next }
        state.next = (state.next + 1) % state.paths.count
        steps += 1
      }
      guard let number else { return nil }
      state.isDone[number] = true
      state.read += 1
      return (number, state.paths[number], state.list, isWanted)
    }
    guard let job else { return 250_000_000 }
    let tags = tags(of: job.path)
    if let tags, tags.title ?? tags.artist ?? tags.album != nil {
      let found = TagReader.Found(number: job.number, tags: tags)
      state.withLock { if $0.list == job.list { $0.found.append(found) } }
    }
    // A pause leaves the disk to more urgent readers.
    return job.isWanted ? 0 : 2_000_000
  }

  private func tags(of path: String) -> AudioTags? {
    guard let file = FileIdentity(path: path) else { return nil }
    if let kept = state.withLock({ $0.kept[path] }), kept.file == file { return kept.tags }
    guard let tags = (try? openAudio(path, glances: true))?.tags.shortened else { return nil }
    state.withLock { state in
      if state.kept.count < TagReader.most || state.kept[path] != nil {
        state.kept[path] = TagReader.Kept(file: file, tags: tags)
      }
    }
    return tags
  }
}

extension AudioTags {
  /// The tags with texts of at most 200 characters.
  fileprivate var shortened: AudioTags {
    func short(_ text: String?) -> String? {
      text.map { String($0.prefix(200)) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    var tags = self
    (tags.title, tags.artist, tags.album) = (short(title), short(artist), short(album))
    return tags
  }
}
