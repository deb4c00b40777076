import Playback

@testable import visgraph

/// Players that tests look at.
enum PlayerStages {
  static func snapshot(_ change: (inout PlayerSnapshot) -> Void = { _ in }) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.isPlaying = true
    snapshot.currentTime = 83.4
    snapshot.duration = 296
    snapshot.numberOfChannels = 2
    snapshot.format = AudioFormat(
      channels: 2, rate: 44100, frames: 44100 * 296, description: "FLAC, 16 bit", codec: "flac",
      bitRate: 912_000)
    snapshot.path = "Satie/Gymnopedies/01 Lent et douloureux.flac"
    snapshot.tags.title = "Gymnopédie No. 1"
    snapshot.tags.artist = "Erik Satie"
    snapshot.tags.album = "Trois Gymnopédies"
    snapshot.tracks = 3
    change(&snapshot)
    return snapshot
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

  static var playing: (PlayerSnapshot, ShowStatus, [Track]) { (snapshot(), status(), tracks) }

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
