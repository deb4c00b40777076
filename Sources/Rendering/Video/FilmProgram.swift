import Glibc

/// What is known of the ffmpeg that the PATH leads to.
struct FilmProgram {
  /// What it says of its version, its building and its libraries.
  private let lines: [String]

  /// Asks it. Throws the system's `errno`, `ENOENT` where there is none, `ETIMEDOUT` where it does not answer.
  init() throws(Errno) {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { throw Errno(number: errno) }
    defer { close(nothing) }
    let end = try FilmEncoder(
      ["ffmpeg", "-version"], pictures: nothing, sound: nil, listensToResults: true,
      patience: FilmPatience(path: nil, seconds: 60, isStopping: { true })
    ).wait()
    if end.ending == .still { throw Errno(number: ETIMEDOUT) }
    lines = end.lines
  }

  /// The first of the libraries that it says it was built without.
  func missing(of libraries: [String]) -> String? {
    guard let line = lines.first(where: { $0.hasPrefix("configuration:") }) else { return nil }
    let words = line.split(separator: " ")
    return libraries.first { !words.contains("--enable-\($0)") }
  }

  /// How much earlier than the pictures sound is heard in a film that it writes, unless told otherwise: Opus begins with
  /// 312 samples at 48 kHz that nobody hears, and until libavformat 60 the pictures of a .webm were moved by them.
  var opusLead: Double {
    guard let line = lines.first(where: { $0.hasPrefix("libavformat") }),
      let major = Int(
        line.dropFirst("libavformat".count).drop(while: \.isWhitespace).prefix(while: \.isNumber))
    else { return 0 }
    return major < 60 ? 312.0 / 48_000 : 0
  }
}
