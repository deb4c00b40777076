import Glibc
import Graphs
import Rendering
import System

/// The folder that holds the parts of a film. `film.json` holds the inputs of the film; `end.json` holds its number of
/// pictures, once the last part is made. [control]
struct FilmFolder {
  let path: String

  private var manifest: String { path + "/film.json" }
  private var ending: String { path + "/end.json" }

  /// The maximum size of such a file, in bytes.
  private static let most = 1 << 20
  /// The version of the format of these files.
  private static let version = FilmFact(name: "visgraph-film", value: "1")

  /// The folder of a film with this path.
  init(film: String) { self.init(path: film + SegmentFolder.ending) }

  init(path: String) { self.path = path }

  /// Makes the folder, or checks that it holds parts of the same film. With `replacing`, a folder of another film is
  /// cleared first.
  func claim(_ facts: [FilmFact], for film: String, replacing: Bool) throws(VideoError) {
    // Several parts may start at once. The process whose `film.json` appears first claims the folder.
    for _ in 0..<3 {
      if mkdir(path, 0o777) != 0, errno != EEXIST { throw fault(errno) }
      let text = Json.object(([Self.version] + facts).map { ($0.name, .string($0.value)) }).text
      do throws(Errno) {
        let file = try WholeFile(manifest)
        try file.write(Array(text.utf8))
        try file.keep(replacing: false)
        return
      } catch {
        guard error.number == EEXIST else { throw fault(error.number) }
      }
      let differences = FilmDifference.all(try inputs(), facts)
      if differences.isEmpty { return }
      guard replacing else {
        throw VideoError(
          "other-film",
          "\(path) has parts of another film: "
            + FilmDifference.sentence(differences, there: "there", here: "in this one")
            + "; --force begins it anew")
      }
      try moveAway(unless: facts)
    }
    throw fault(EEXIST)
  }

  /// Removes the parts of another film. Puts the folder back if another process has claimed it for this film meanwhile.
  private func moveAway(unless facts: [FilmFact]) throws(VideoError) {
    let other = FilmFolder(path: "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    guard rename(path, other.path) == 0 || errno == ENOENT else { throw fault(errno) }
    if let found = try? other.inputs(), FilmDifference.all(found, facts).isEmpty,
      rename(other.path, path) == 0
    {
      return
    }
    other.remove()
  }

  /// The fault of a `film.json` that this version does not read.
  func foreign(_ code: String) -> VideoError {
    VideoError(code, "\(manifest) was not written by a visgraph of this version")
  }

  /// The inputs of this folder's film.
  func inputs() throws(VideoError) -> [FilmFact] {
    var facts = try read(manifest)
    guard facts.first == Self.version else {
      throw foreign(facts.first?.name == Self.version.name ? "newer-version" : "foreign-file")
    }
    facts.removeFirst()
    return facts
  }

  /// The number of pictures of the whole film; nil until the last part is made.
  var pictures: Int64? {
    get throws(VideoError) {
      guard access(ending, F_OK) == 0 else { return nil }
      let facts = try read(ending)
      guard let value = facts.first(where: { $0.name == "pictures" })?.value, let pictures = Int64(value),
        pictures > 0, pictures < 1 << 48
      else { throw VideoError("foreign-file", "\(ending) was not written by visgraph") }
      return pictures
    }
  }

  /// Writes the number of pictures of the whole film.
  func end(pictures: Int64) throws(VideoError) {
    let text = Json.object([("pictures", .string("\(pictures)"))]).text
    do throws(Errno) { try WholeFile.write(Array(text.utf8), to: ending) } catch { throw fault(error.number) }
  }

  private func read(_ path: String) throws(VideoError) -> [FilmFact] {
    let bytes: [UInt8]
    do throws(RegularFile.Refusal) { bytes = try RegularFile.bytes(of: path, most: Self.most) } catch {
      if case .system(let number) = error { throw fault(number.number, path) }
      throw VideoError("foreign-file", "\(path) was not written by visgraph")
    }
    guard let pairs = JsonReader.object(in: bytes, of: Json.self) else {
      throw VideoError("foreign-file", "\(path) was not written by visgraph: it is no JSON")
    }
    return pairs.map { name, value in
      if case .string(let text) = value {
        FilmFact(name: name, value: text)
      } else {
        FilmFact(name: name, value: "?")
      }
    }
  }

  /// Removes the parts, and the folder unless it holds other files.
  func remove() {
    SegmentFolder(path, .mp4).removeSegments()
    unlink(manifest)
    unlink(ending)
    rmdir(path)
  }

  private func fault(_ number: Int32, _ path: String? = nil) -> VideoError {
    VideoError("cannot-write", "\(path ?? self.path): \(String(cString: strerror(number)))")
  }
}

/// An input in which two films differ.
struct FilmDifference: Equatable {
  let name: String
  /// Its value in one film; nil: missing there.
  let one: String?
  /// Its value in the other film; nil: missing there.
  let other: String?

  /// The inputs in which two films differ.
  static func all(_ one: [FilmFact], _ other: [FilmFact]) -> [FilmDifference] {
    let names = one.map(\.name) + other.map(\.name).filter { name in !one.contains { $0.name == name } }
    return names.compactMap { name in
      let (a, b) = (
        one.first { $0.name == name }?.value, other.first { $0.name == name }?.value
      )
      return a == b ? nil : FilmDifference(name: name, one: a, other: b)
    }
  }

  /// The first three differences in words: `quality is high there and normal in this one`.
  static func sentence(_ differences: [FilmDifference], there: String, here: String) -> String {
    let named = differences.prefix(3).map { difference in
      let (one, other) = (difference.one ?? "not said", difference.other ?? "not said")
      return DisplayedText.safe("\(difference.name) is \(one) \(there) and \(other) \(here)")
    }
    let rest = differences.count - named.count
    return named.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
  }
}
