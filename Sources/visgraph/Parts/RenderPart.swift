import Graphs
import Rendering

/// A part of a film while it is rendered: its frames and segments. [control]
struct RenderPart {
  let request: PartRequest
  /// How the film is cut into segments.
  let grid: SegmentGrid
  /// The part's segments, from 0.
  let segments: Range<Int>
  private let fps: FrameRate
  /// The expected number of pictures of the whole film.
  private let expected: Int64

  /// `expected`: the number of pictures that the whole film is expected to have.
  init(_ request: PartRequest, _ fps: FrameRate, expected pictures: Int64) {
    (self.request, self.fps, expected) = (request, fps, pictures)
    grid = SegmentGrid(length: Int((request.segment * fps.perSecond).rounded()))
    segments = request.part.segments(of: max(1, grid.count(of: pictures)))
  }

  /// The part's last frame; 0: it has none, `.max`: it goes to the end.
  var lastFrame: Int64 {
    if segments.isEmpty { return 0 }
    return segments.upperBound == .max ? .max : grid.start(of: segments.upperBound)
  }

  /// The part's first frame.
  var firstFrame: Int64 { grid.start(of: segments.lowerBound) + 1 }

  /// Whether a frame belongs to the part.
  func holds(_ frame: Int64) -> Bool { frame >= firstFrame && frame <= lastFrame }

  /// Claims the film's folder and opens the video of this part.
  func video(
    _ path: String, _ recipe: VideoSettings, sound: VideoWriter.Sound?, pool: VideoPixelPool, replacing: Bool,
    isStopping: @escaping @Sendable () -> Bool
  ) throws(VideoError) -> SegmentedVideo {
    let folder = FilmFolder(film: path)
    let made = FilmRecipe(recipe, grid, fps, sound, size: PictureSize(width: pool.width, height: pool.height))
    let facts = try made.facts + [FilmFact(name: "expected pictures", value: "\(expected)")] + request.facts
    try folder.claim(facts, for: path, replacing: replacing)
    return try SegmentedVideo(
      SegmentFolder(folder.path, recipe.format), recipe: recipe,
      SegmentedVideo.Plan(
        grid: grid, segments: segments, pictures: try folder.pictures, frames: fps.frames,
        seconds: fps.seconds),
      hasSound: sound != nil, pool: pool, isStopping: isStopping)
  }
}

/// The encoding of a film that is made in parts. The parts write it, and `join` reads it back. [control]
struct FilmRecipe {
  let video: VideoSettings
  let grid: SegmentGrid
  let fps: FrameRate
  /// The film's sound; nil: it has none.
  let sound: VideoWriter.Sound?
  private let size: PictureSize

  init(
    _ video: VideoSettings, _ grid: SegmentGrid, _ fps: FrameRate, _ sound: VideoWriter.Sound?,
    size: PictureSize
  ) {
    (self.video, self.grid, self.fps, self.sound, self.size) = (video, grid, fps, sound, size)
  }

  /// The encoding as pairs of name and value for `film.json`.
  var facts: [FilmFact] {
    get throws(VideoError) {
      [
        FilmFact(name: "ffmpeg", value: try VideoWriter.program()),
        FilmFact(name: "format", value: video.format.rawValue),
        FilmFact(name: "codec", value: video.codec.rawValue),
        FilmFact(name: "quality", value: video.quality.rawValue),
        FilmFact(name: "transparent", value: video.hasAlpha ? "yes" : "no"),
        FilmFact(name: "size", value: size.text),
        FilmFact(name: "fps", value: "\(fps.frames)/\(fps.seconds)"),
        FilmFact(name: "pictures of a segment", value: "\(grid.length)"),
        FilmFact(name: "sound", value: sound.map { "\($0.rate) Hz, \($0.channels)" } ?? "none"),
      ]
    }
  }

  /// Reads the encoding; nil where a value is missing or not known to this version.
  init?(_ facts: [FilmFact]) {
    func value(_ name: String) -> String? { facts.first { $0.name == name }?.value }
    guard let format = value("format").flatMap(VideoFormat.init(rawValue:)),
      let codec = value("codec").flatMap(VideoCodec.init(rawValue:)),
      let quality = value("quality").flatMap(VideoQuality.init(rawValue:)),
      let video = VideoSettings(
        format, codec: codec, quality: quality, isClear: value("transparent") == "yes"),
      let size = value("size").flatMap(PictureSize.init),
      let length = value("pictures of a segment").flatMap(Int.init), length > 0,
      let rate = value("fps")?.split(separator: "/").compactMap({ Int($0) }), rate.count == 2,
      rate.allSatisfy({ $0 > 0 && $0 < 1 << 24 })
    else { return nil }
    var sound: VideoWriter.Sound?
    if value("sound") != "none" {
      let words = value("sound")?.split(separator: " ") ?? []
      guard words.count == 3, let hertz = Int(words[0]), let channels = Int(words[2]), hertz > 0,
        hertz < 1 << 24, channels > 0, channels <= VideoFormat.mostChannels
      else { return nil }
      sound = VideoWriter.Sound(rate: hertz, channels: channels)
    }
    self.init(video, SegmentGrid(length: length), FrameRate(rate[0], per: rate[1]), sound, size: size)
  }
}
