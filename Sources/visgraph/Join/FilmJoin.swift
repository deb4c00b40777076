import Glibc
import Graphs
import Rendering

/// Joins the parts of a film. [control]
struct FilmJoin {
  let path: String
  /// The folders that hold its parts.
  let folders: [String]
  /// Whether an existing film is replaced.
  let replacing: Bool

  struct Result {
    let segments: Int
    let pictures: Int64
    let seconds: Double
  }

  func run(isStopping: @escaping @Sendable () -> Bool) throws(VideoError) -> Result {
    if let folder = folders.first(where: { $0.contains("\n") }) ?? (path.contains("\n") ? path : nil) {
      throw VideoError("line-break", "\(folder): a name with a line break cannot be handed to ffmpeg")
    }
    let all = folders.map(FilmFolder.init(path:))
    let recipe = try recipe(all)
    guard recipe.video.format == VideoFormat(path: path) else {
      let ending = recipe.video.format.rawValue
      throw VideoError(
        "other-format",
        "\(path): the parts are of a .\(ending): name a file that ends in .\(ending)")
    }
    let pictures = try pictures(all)
    let segmentCount = recipe.grid.count(of: pictures)
    let segmentFolders = all.map { SegmentFolder($0.path, recipe.video.format) }
    var segments: [(folder: SegmentFolder, number: Int)] = []
    var missing: [Int] = []
    for number in 0..<segmentCount {
      if let folder = segmentFolders.first(where: { $0.holds(number) }) {
        segments.append((folder, number))
      } else {
        missing.append(number)
      }
    }
    guard missing.isEmpty else { throw self.missing(missing, of: pictures, recipe) }
    let film = SegmentJoin.Film(
      path: path, recipe: recipe.video, segments: segments, pictures: pictures, grid: recipe.grid,
      frames: recipe.fps.frames, seconds: recipe.fps.seconds, sound: recipe.sound)
    try SegmentJoin(film, replacing: replacing).run(isStopping: isStopping)
    return Result(
      segments: segmentCount, pictures: pictures, seconds: Double(pictures) / recipe.fps.perSecond)
  }

  /// The film's encoding. Throws if the folders differ.
  private func recipe(_ all: [FilmFolder]) throws(VideoError) -> FilmRecipe {
    var first: (folder: FilmFolder, facts: [FilmFact])?
    for folder in all {
      guard access(folder.path, F_OK) == 0 else {
        throw VideoError(
          "no-parts",
          "\(folder.path) is not there: `visgraph render GRAPH -o \(path) --part K/N` makes a part of the film in it"
        )
      }
      let facts = try folder.inputs()
      guard let first else {
        first = (folder, facts)
        continue
      }
      let differences = FilmDifference.all(first.facts, facts)
      guard differences.isEmpty else {
        throw VideoError(
          "other-film",
          "these are parts of different films: "
            + FilmDifference.sentence(
              differences, there: "in \(first.folder.path)", here: "in \(folder.path)"))
      }
    }
    guard let recipe = first.flatMap({ FilmRecipe($0.facts) }) else {
      throw (first?.folder ?? FilmFolder(film: path)).foreign("foreign-file")
    }
    return recipe
  }

  /// The film's number of pictures. Only the folder with the last part states it.
  private func pictures(_ all: [FilmFolder]) throws(VideoError) -> Int64 {
    var found: Int64?
    for folder in all {
      guard let pictures = try folder.pictures else { continue }
      if let found, found != pictures {
        throw VideoError(
          "other-film", "these are parts of different films: of \(found) pictures, and of \(pictures)")
      }
      found = pictures
    }
    guard let found else {
      throw VideoError("no-end", "the last part of \(path) is missing: no part has come to the film's end")
    }
    return found
  }

  /// The fault of missing segments: their ranges and times.
  private func missing(_ numbers: [Int], of pictures: Int64, _ recipe: FilmRecipe) -> VideoError {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    func second(_ segment: Int) -> String {
      // The last segment may be shorter than the others.
      NumberFormat.seconds(Double(min(recipe.grid.start(of: segment), pictures)) / recipe.fps.perSecond)
    }
    let named = ranges.prefix(5).map { row in
      (row.count == 1
        ? "segment \(row.lowerBound + 1)" : "segments \(row.lowerBound + 1) to \(row.upperBound + 1)")
        + " (\(second(row.lowerBound)) s to \(second(row.upperBound + 1)) s)"
    }
    let rest = ranges.count > named.count ? " and more" : ""
    return VideoError(
      "missing-segments",
      "\(path): \(named.joined(separator: ", "))\(rest) \(numbers.count == 1 ? "is" : "are") missing: make the parts "
        + "that hold them with `visgraph render --part`, and join again")
  }
}
