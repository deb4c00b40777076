import Graphs
import Hosts
import OSC
import Rendering

/// The messages of a job about its outputs. [control]
extension RenderJob {
  /// Prints a line for each output.
  func report(_ opened: Opened, _ part: RenderPart?, still: Int64?, seconds: Double) {
    if let part { return report(part, opened) }
    let pictures = opened.pictures
    let (length, shown) = (
      "\(NumberFormat.seconds(seconds)) s",
      "\(NumberFormat.count(pictures?.count ?? 0, "picture")) of \(size.text)"
    )
    var (levels, scores, shows) = (opened.levels[...], opened.scores[...], opened.shows[...])
    for output in outputs {
      switch output {
      case .levels(let path, _):
        guard let file = levels.popFirst() else { continue }
        let frames = NumberFormat.count(file.frames, "frame")
        printResult("wrote \(path): \(frames) of \(NumberFormat.count(file.width, "level")), \(length)")
      case .score(let path):
        let packets = NumberFormat.count(scores.popFirst()?.count ?? 0, "packet")
        printResult("wrote \(path): \(packets), \(length)")
      case .universes(let path):
        guard let show = shows.popFirst() else { continue }
        let frames = NumberFormat.count(show.frames, "frame")
        printResult("wrote \(path): \(frames) of \(NumberFormat.count(show.width, "universe")), \(length)")
      case .video(let path, _): printResult("wrote \(path): \(shown), \(length)")
      case .frames(let name): printResult("wrote \(name.path(1)) and so on: \(shown), \(length)")
      case .picture(let path):
        let second = NumberFormat.seconds(Double((still ?? 1) - 1) / graph.fps.perSecond)
        printResult("wrote \(path): \(size.text), as it is at \(second) s")
      }
    }
  }

  /// Prints a note if the film lacks the sound, or some of it.
  func reportSound(_ pictures: RenderPictures?) {
    guard outputs.contains(where: \.isFilm) else { return }
    if let sound = pictures?.sound {
      if let note = sound.note { printNote("visgraph: \(note)") }
    } else {
      printNote("visgraph: this graph has no jack-output, so the film has no sound")
    }
  }

  /// Prints a line for each film and picture sequence of a part.
  private func report(_ part: RenderPart, _ opened: Opened) {
    let drawn = "\(NumberFormat.count(opened.pictures?.count ?? 0, "picture")) of \(size.text)"
    for output in outputs {
      switch output {
      case .video(let path, _):
        let name = "part \(part.request.part) of \(path)"
        printResult(
          opened.pictures?.count ?? 0 > 0 ? "wrote \(name): \(drawn)" : "\(name) is there: nothing to draw")
      case .frames(let name): printResult("wrote part \(part.request.part) of \(name.pattern): \(drawn)")
      case .levels, .score, .universes, .picture: break
      }
    }
  }
}
