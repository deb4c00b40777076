import Playback

@testable import visgraph

/// Players that tests look at.
enum PlayerStages {
  static func facts(_ change: (inout PlayerFacts) -> Void = { _ in }) -> PlayerFacts {
    var facts = PlayerFacts()
    facts.isPlaying = true
    facts.currentTime = 83.4
    facts.duration = 296
    facts.numberOfChannels = 2
    facts.format = AudioFormat(
      channels: 2, rate: 44100, frames: 44100 * 296, description: "FLAC, 16 bit", codec: "flac",
      bitRate: 912_000)
    facts.path = "Satie/Gymnopedies/01 Lent et douloureux.flac"
    facts.tags.title = "Gymnopédie No. 1"
    facts.tags.artist = "Erik Satie"
    facts.tags.album = "Trois Gymnopédies"
    facts.tracks = 3
    change(&facts)
    return facts
  }

  static func status(_ levels: [(average: Float, peak: Float)] = [(-12.4, -3.1), (-14, -6)]) -> ShowStatus {
    var status = Stages.small
    status.targets = []
    status.sources = [
      .init(
        id: "song", feed: .other("file-source"),
        channels: levels.enumerated().map {
          Stages.channel($0.offset + 1, from: [], $0.element.average, peak: $0.element.peak)
        })
    ]
    status.control = "127.0.0.1:7770"
    return status
  }

  static var tracks: [Track] {
    [
      Track("Satie/Gymnopedies/01 Lent et douloureux.flac"),
      Track("Satie/Gymnopedies/02 Lent et triste.flac"),
      Track("Satie/Gnossiennes/01 Lent.mp3", title: "Gnossienne No. 1"),
    ]
  }

  static var playing: (PlayerFacts, ShowStatus, [Track]) { (facts(), status(), tracks) }

  /// Many tracks, some with names that are not plain.
  static var library: [Track] {
    var all = tracks
    for (artist, songs) in [
      ("Björk/Homogenic", ["Hunter", "Jóga", "Unravel", "Bachelorette", "All Neon Like", "5 Years"]),
      ("初音ミク/ベスト", ["千本桜", "メルト", "ワールドイズマイン"]),
      (
        "Ludwig van Beethoven/Symphonie Nr. 5 c-Moll op. 67",
        ["Allegro con brio", "Andante con moto", "Allegro", "Allegro"]
      ),
      (
        "Kraftwerk/Autobahn",
        ["Autobahn", "Kometenmelodie 1", "Kometenmelodie 2", "Mitternacht", "Morgenspaziergang"]
      ),
    ] {
      for (index, song) in songs.enumerated() { all.append(Track("\(artist)/0\(index + 1) \(song).flac")) }
    }
    return all
  }
}
