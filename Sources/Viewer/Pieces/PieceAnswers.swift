import NIOCore

/// A file of the stage as caches keep it.
struct StageFile: Sendable {
  /// What it is, as HTTP says it.
  var type = "application/octet-stream"
  var bytes: ByteBuffer
  /// What caches are sent: `Cache-Control`.
  var cache: String
  /// Whether there is none.
  var isMissing = false

  /// There is no such file, for a second at least.
  static let missing = StageFile(
    type: "text/plain; charset=utf-8", bytes: ByteBuffer(string: "There is no such piece.\n"),
    cache: "public, max-age=1", isMissing: true)
}

/// What is answered of the pieces of a stage: below `/stream/`. [view]
///
/// `now` says where to begin, and may be a second old; `clock` is the program's, and no cache may keep it; `RUN/N` is the piece
/// of a number, `RUN/state-N` what one needs to begin behind it.
struct PieceAnswers: Sendable {
  /// What all of it lies below.
  static let folder = "/stream/"
  /// How long caches keep what never changes, in seconds: longer than anybody asks for it.
  private static let lasting = "public, max-age=60, immutable"

  let pieces: StagePieces
  let loop: any EventLoop
  /// Seconds of the clock by which frames are sent.
  let time: Double

  /// What lies at a path; nil where that is not below the folder.
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
    // Who asks a little early waits for it; what lies further ahead nobody can mean.
    guard number == pieces.number || number == pieces.number + 1 else {
      return ready(file(pieces.piece(number)))
    }
    return pieces.wait(for: number, on: loop).map { [self] in file(pieces.piece(number)) }
  }

  private func ready(_ file: StageFile) -> EventLoopFuture<StageFile> { loop.makeSucceededFuture(file) }

  private func file(_ bytes: ByteBuffer?) -> StageFile {
    bytes.map { StageFile(bytes: $0, cache: Self.lasting) } ?? .missing
  }

  /// Where to begin.
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
