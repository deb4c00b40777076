import Glibc
import System

/// Reads what the files of a list say of their music, one after the other, on a thread of its own that gives way to all
/// others. Nobody ever waits for it. [any]
///
/// What was read is kept as long as its file stays the same, also for the next list; so many files are read of a list, and
/// the others keep their names.
public final class TagReader: Sendable {
  /// The most files that are read, and kept.
  public static let most = 50_000
  /// The most that wait to be taken: then it waits, too.
  static let mostWaiting = 256

  /// What a file says.
  public struct Found: Sendable {
    /// The track's place in the list, from 0.
    public let number: Int
    /// What it says; something of it is there.
    public let tags: AudioTags
    /// The same to be searched.
    let folded: [UInt8]

    /// What a track's file says.
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
    /// These first, the last of them before the others.
    var wanted: [Int] = []
    var found: [Found] = []
    var kept: [String: Kept] = [:]
    var isNice = false
  }

  private let state: Shared
  private let thread: DiskThread?

  /// What the thread and its owner share.
  fileprivate final class Shared: Sendable {
    let state = Locked(State())
  }

  /// A reader without a list; where the system gives no thread it never finds anything.
  public init() {
    let state = Shared()
    self.state = state
    thread = DiskThread { state.work() }
  }

  deinit { thread?.leave() }

  /// Begins with a list, from one of its tracks on.
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

  /// Reads some tracks before all others, those that the user looks at.
  public func want(_ tracks: [Int]) {
    let isNew = state.state.withLock { state in
      state.wanted = tracks.reversed().filter { state.isDone.indices.contains($0) && !state.isDone[$0] }
      return !state.wanted.isEmpty
    }
    if isNew { thread?.wake() }
  }

  /// What was found since the last call.
  public func take() -> [Found] {
    state.state.withLock { state in
      defer { state.found = [] }
      return state.found
    }
  }
}

extension TagReader.Shared {
  /// Reads the next file; gives how long there is nothing to do, in nanoseconds.
  fileprivate func work() -> Int64 {
    let job = state.withLock { state -> (number: Int, path: String, list: Int, isWanted: Bool)? in
      if !state.isNice {
        state.isNice = true
        // On Linux 0 is the calling thread alone.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
      }
      guard state.found.count < TagReader.mostWaiting, state.read < TagReader.most else { return nil }
      var number: Int?
      while number == nil, let wanted = state.wanted.popLast() {
        if !state.isDone[wanted] { number = wanted }
      }
      let isWanted = number != nil
      // Once round the list.
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
    // Disks have more to do than this.
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
  /// No longer than anybody reads.
  fileprivate var shortened: AudioTags {
    func short(_ text: String?) -> String? {
      text.map { String($0.prefix(200)) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    var tags = self
    (tags.title, tags.artist, tags.album) = (short(title), short(artist), short(album))
    return tags
  }
}
