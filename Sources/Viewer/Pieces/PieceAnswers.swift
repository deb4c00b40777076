import NIOCore

/// A file of the stage for HTTP caches.
struct StageFile: Sendable {
  /// The media type.
  var type = "application/octet-stream"
  var bytes: ByteBuffer
  /// The value of `Cache-Control`.
  var cache: String
  /// Whether there is no such file (404).
  var isMissing = false

  /// The answer without a file, valid for 1 s.
  static let missing = StageFile(
    type: "text/plain; charset=utf-8", bytes: ByteBuffer(string: "There is no such piece.\n"),
    cache: "public, max-age=1", isMissing: true)
}

/// Answers HTTP requests for pieces of a stage, below `/stream/`. [view]
///
/// `now` names the newest state to begin with, and may be cached for 1 s. `clock` is the program's clock and is never
/// cached. `RUN/N` is piece N; `RUN/state-N` is the state at the end of piece N.
struct PieceAnswers: Sendable {
  static let folder = "/stream/"
  /// `Cache-Control` of files that never change. 60 s is longer than any client asks for them.
  private static let immutableCache = "public, max-age=60, immutable"

  let pieces: StagePieces
  let loop: any EventLoop
  /// The clock that numbers the pieces, in s.
  let time: Double

  /// The file at a path; nil: the path is not below the folder.
  func file(at path: String) -> EventLoopFuture<StageFile>? {
    guard path.hasPrefix(Self.folder) else { return nil }
    let parts = path.dropFirst(Self.folder.count).split(separator: "/", omittingEmptySubsequences: false)
    switch parts {
    case ["clock"]: return ready(json("{\"clock\":\(time)}", "no-store"))
    case ["now"]:
      pieces.ask(at: time)
      if pieces.newestState != nil { return ready(beginning) }
      return pieces.wait(for: nil, on: loop).map { [self] in beginning }
    default:
      guard parts.count == 2, parts[0] == pieces.run else { return ready(.missing) }
      if parts[1].hasPrefix("state-") {
        return ready(file(Int(parts[1].dropFirst(6)).flatMap { pieces.state(after: $0) }))
      }
      guard let number = Int(parts[1]) else { return ready(.missing) }
      return piece(number)
    }
  }

  private func piece(_ number: Int) -> EventLoopFuture<StageFile> {
    guard pieces.isWanted else { return ready(.missing) }
    pieces.ask(at: time)
    // A request for the current or the next piece waits until it is complete. No other future piece is answered.
    guard number == pieces.number || number == pieces.number + 1 else {
      return ready(file(pieces.piece(number)))
    }
    return pieces.wait(for: number, on: loop).map { [self] in file(pieces.piece(number)) }
  }

  private func ready(_ file: StageFile) -> EventLoopFuture<StageFile> { loop.makeSucceededFuture(file) }

  private func file(_ bytes: ByteBuffer?) -> StageFile {
    bytes.map { StageFile(bytes: $0, cache: Self.immutableCache) } ?? .missing
  }

  /// The answer to `now`.
  private var beginning: StageFile {
    guard let state = pieces.newestState else { return .missing }
    return json(
      "{\"run\":\"\(pieces.run)\",\"piece\":\(StagePieces.length),\"delay\":\(StagePieces.delay),\"state\":\(state)}",
      "public, max-age=1, stale-while-revalidate=1")
  }

  private func json(_ text: String, _ cache: String) -> StageFile {
    StageFile(type: "application/json", bytes: ByteBuffer(string: text + "\n"), cache: cache)
  }
}
