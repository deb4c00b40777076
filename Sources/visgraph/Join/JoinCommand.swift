import ArgumentParser
import Rendering

/// `visgraph join FILM`.
struct JoinCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Puts the parts of a film together that `render --part` has made.",
    discussion: """
      Pictures stay as they are encoded, and the sound is encoded once, so the film is the same to the byte however \
      many parts it was made in. Parts that lie elsewhere are named after the film. Parts that do not belong \
      together are refused, and the difference is named.

      visgraph render show.yaml -o film.mp4 --part 1/2
      visgraph render show.yaml -o film.mp4 --part 2/2
      visgraph join film.mp4
      """)

  @ArgumentParser.Argument(
    help: ArgumentHelp("The film, as it was given to render with -o.", valueName: "film"),
    completion: .file(extensions: VideoFormat.allCases.map(\.rawValue)))
  var film: String

  @ArgumentParser.Argument(
    help: ArgumentHelp(
      "Folders with its parts; by default the film's name with \(SegmentFolder.ending) after it.",
      valueName: "folder"), completion: .directory)
  var folders: [String] = []

  @Flag(help: "Writes over a film that exists.") var force = false

  @Flag(help: "Removes the parts once the film is whole.") var remove = false

  func validate() throws {
    guard VideoFormat(path: film) != nil else {
      throw ValidationError(
        film.hasSuffix(".png")
          ? "\(DisplayedText.safe(film)): pictures of parts lie beside each other already, and need no join"
          : "\(DisplayedText.safe(film)): the name of a film ends in .mp4, .webm or .mov")
    }
  }

  func run() throws {
    let stop = try StopSignals()
    let folders = folders.isEmpty ? [film + SegmentFolder.ending] : folders
    let joined: FilmJoin.Result
    do throws(VideoError) {
      joined = try FilmJoin(path: film, folders: folders, replacing: force).run(isStopping: { stop.isAsked })
    } catch {
      let message = stop.isAsked ? "stopped before the end" : error.message
      let hint = error.code == "file-exists" ? "; --force writes over it" : ""
      printNote("visgraph: \(DisplayedText.safe(message))\(hint) [\(stop.isAsked ? "stopped" : error.code)]")
      throw ExitCode.failed
    }
    printResult(
      "wrote \(film): \(NumberFormat.count(joined.segments, "segment")), \(joined.pictures) pictures, "
        + "\(NumberFormat.seconds(joined.seconds)) s")
    if remove { for folder in folders { FilmFolder(path: folder).remove() } }
  }
}
