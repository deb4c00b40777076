import Playback
import Testing

@testable import visgraph

@Suite struct PickerTests {
  private func typed(_ text: String, _ picker: inout Picker) {
    for character in text { #expect(picker.press(.character(character), page: 10) == .open) }
  }

  @Test func `words filter the list, in any order`() {
    var picker = Picker(PlayerStages.library)
    typed("joga BJ", &picker)
    #expect(picker.found.map { picker.tracks[$0].name } == ["02 Jóga"])
    _ = picker.press(.control("w"), page: 10)
    #expect(picker.query == "joga ")
    _ = picker.press(.control("u"), page: 10)
    #expect(picker.query == "")
    #expect(picker.found.count == picker.tracks.count)
    // It stays where it was.
    #expect(picker.track.map { picker.tracks[$0].name } == "02 Jóga")
    typed("zzz", &picker)
    #expect(picker.track == nil)
    #expect(picker.press(.enter, page: 10) == .open)
    for _ in 0..<5 { _ = picker.press(.backspace, page: 10) }
    #expect(picker.query == "")
  }

  @Test func `tags are shown and searched as soon as they are read`() throws {
    let (snapshot, status, library) = PlayerStages.playing
    var view = PlayerView(library, startsInPicker: true)
    view.update(snapshot, status, files: [], events: [])
    let text = PlayerText(columns: 120, rows: 24)
    func shown() -> String { plain(view.lines(text, hints: [])) }
    #expect(shown().contains("02 Lent et triste"))
    #expect(view.wanted(rows: 24, columns: 80) == [0, 1, 2, 1, 2])
    for character in "lent" { _ = view.press(.character(character), rows: 24, columns: 80, seed: 1) }
    #expect(shown().contains("3 of 3"))
    var tags = AudioTags()
    (tags.title, tags.artist, tags.album) = ("Gymnopédie No. 2", "Érik Satie", "Trois Gymnopédies")
    view.learn([TagReader.Found(number: 1, tags: tags)])
    #expect(shown().contains("Gymnopédie No. 2") && shown().contains("Érik Satie — Trois Gymnopédies"))
    #expect(!view.wanted(rows: 24, columns: 80).contains(1))
    for character in " trois no. 2" { _ = view.press(.character(character), rows: 24, columns: 80, seed: 1) }
    #expect(shown().contains("1 of 3"))
    #expect(view.press(.enter, rows: 24, columns: 80, seed: 1) == [.player(.track(1)), .player(.play)])
    view.update(snapshot, status, files: [], events: [])
    #expect(shown().contains("next  Érik Satie: Gymnopédie No. 2"))
  }

  @Test func `the next tracks are shown in the order of play`() {
    var (snapshot, status, library) = PlayerStages.playing
    snapshot.settings.shuffle = 7
    var view = PlayerView(library, startsInPicker: false)
    view.update(snapshot, status, files: [], events: [], coming: [2, 1])
    let shown = plain(view.lines(PlayerText(columns: 80, rows: 24), hints: []))
    #expect(shown.contains("next  Gnossienne No. 1\n        02 Lent et triste"))
    view.update(snapshot, status, files: [], events: [])
    #expect(!plain(view.lines(PlayerText(columns: 80, rows: 24), hints: [])).contains("  next  "))
  }

  @Test func `keys move within the list and not beyond it`() {
    var picker = Picker(PlayerStages.library, at: 4)
    let last = picker.tracks.count - 1
    func after(_ key: Key) -> Int {
      _ = picker.press(key, page: 6)
      return picker.place
    }
    #expect(picker.place == 4)
    #expect(after(.down) == 5)
    #expect(after(.up) == 4)
    #expect(after(.pageDown) == 9)
    #expect(after(.pageUp) == 4)
    #expect(after(.pageUp) == 0)
    #expect(after(.up) == 0)
    #expect(after(.end) == last)
    #expect(after(.down) == last)
    #expect(after(.home) == 0)
    #expect(picker.press(.escape, page: 6) == .closed)
    #expect(picker.press(.enter, page: 6) == .chosen(0))
  }

  @Test func `the list shows names, folders, the present track and unplayable ones`() {
    var picker = Picker(PlayerStages.library, at: 1)
    var (snapshot, status, _) = PlayerStages.playing
    snapshot.tracks = picker.tracks.count
    let model = PlayerScreenModel(snapshot: snapshot, status: status)
    let text = PickerText(text: PlayerText(columns: 60, rows: 9))
    let faults = [picker.tracks[2].path: "'x' is not an audio file"]
    #expect(text.page == 4)
    #expect(
      plain(text.lines(picker, faults: faults, model)).split(separator: "\n").prefix(5).joined(
        separator: "\n") == """
            / ▏type words of a title, an artist, a file           21
             ♪ 01 Lent et douloureux              Satie/Gymnopedies
            ▸  02 Lent et triste                  Satie/Gymnopedies\u{20}
             ! Gnossienne No. 1                   Satie/Gnossiennes
               01 Hunter                            Björk/Homogenic
          """)
    _ = picker.press(.down, page: 4)
    #expect(plain(text.lines(picker, faults: faults, model)).contains("\n  'x' is not an audio file\n"))
    status.messages = []
    typed("symphonie", &picker)
    #expect(plain(text.lines(picker, faults: [:], model)).hasPrefix("  / symphonie▏"))
    #expect(plain(text.lines(picker, faults: [:], model)).contains("4 of 21"))
  }

  @Test func `no size and no name breaks the columns`() {
    var all = PlayerStages.library
    all.append(Track("a\u{1B}[2J/\u{202E}b\n.mp3"))
    all.append(Track(String(repeating: "長い", count: 100) + ".mp3"))
    var picker = Picker(all, at: all.count - 1)
    let model = PlayerScreenModel(snapshot: PlayerStages.snapshot(), status: PlayerStages.status())
    typed("長", &picker)
    _ = picker.press(.control("u"), page: 3)
    for columns in [1, 5, 20, 48, 80] {
      for rows in 1...20 {
        let lines = PickerText(text: PlayerText(columns: columns, rows: rows)).lines(
          picker, faults: [:], model)
        #expect(lines.count <= rows)
        for line in lines {
          #expect(line.width <= columns)
          #expect(!line.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
      }
    }
  }

  @Test func `a hundred thousand tracks are listed fast`() {
    let tracks = (0..<100_000).map { Track("Artist \($0 % 1000)/Album \($0 % 97)/\($0) Song.flac") }
    var picker = Picker(tracks)
    typed("song 99999", &picker)
    #expect(picker.found == [99_999])
    _ = picker.press(.end, page: 10)
    #expect(picker.press(.enter, page: 10) == .chosen(99_999))
  }

  @Test func `an empty library can be shown`() {
    var picker = Picker([])
    for key in [Key.up, .down, .end, .home, .pageUp, .enter, .backspace] {
      #expect(picker.press(key, page: 5) == .open)
    }
    let model = PlayerScreenModel(snapshot: PlayerSnapshot(), status: PlayerStages.status())
    #expect(
      plain(PickerText(text: PlayerText(columns: 60, rows: 10)).lines(picker, faults: [:], model))
        .contains("nothing has these words"))
  }
}
