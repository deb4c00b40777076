/// Which loudspeakers the channels of a sound stand for in a film.
struct FilmLayout: Equatable {
  /// Channels in the film.
  let width: Int
  /// What ffmpeg calls it; nil: what it takes for so many channels by itself.
  let name: String?
  /// For each channel of the sound its place in the film, from 0; nil: each its own.
  let places: [Int]?

  /// How a film of a format holds 1…8 channels: as ffmpeg does by itself, where that keeps them whole and apart.
  init(_ format: FilmFormat, channels: Int) {
    switch (format, channels) {
    // Left, right and one for the deep tones by itself: everything else of the third would be lost.
    case (_, 3): self.init(width: 3, name: "3.0")
    // Opus knows four corners only.
    case (.webm, 4): self.init(width: 4, name: "quad")
    // With five and seven ffmpeg (5.1) puts channels of Opus into each other's place. With one more, silent, it does not.
    case (.webm, 5): self.init(width: 6, places: [0, 1, 2, 4, 5])
    case (.webm, 7): self.init(width: 8, places: Array(0..<7))
    default: self.init(width: channels)
    }
  }

  private init(width: Int, name: String? = nil, places: [Int]? = nil) {
    self.width = width
    self.name = name
    self.places = places
  }

  /// The samples as the film has them, channel by channel within each.
  func laid(_ samples: [Float]) -> [Float] {
    guard let places else { return samples }
    let count = samples.count / places.count
    var laid = [Float](repeating: 0, count: count * width)
    for index in 0..<count {
      for (channel, place) in places.enumerated() {
        laid[index * width + place] = samples[index * places.count + channel]
      }
    }
    return laid
  }
}
