import Graphs
import OSC
import Playback
import Realtime
import System
import TestSounds
import TestSupport
import Testing

@testable import Controls

/// The form of commands in a control score, and what is read of it.
@Suite struct ControlScoreFormTests {
  private static let commands: [ShowCommand] =
    [
      .set(path: "gain.gain", value: .number(-6.25)), .set(path: "gain.each.2.gain", value: .number(3)),
      .set(path: "meter.hold", value: "250 ms"),
      .set(path: "sparks.cells.spark.birthRate", value: .number(12)),
      .set(path: "gain.gain", value: .number(-12), fade: FadeTime(seconds: 2.5)),
      .set(path: "gain.gain", value: .number(-12), fade: FadeTime(seconds: 1, isLinear: true)),
      .fader(path: "gain.gain", 0.3), .fader(path: "gain.each.1.gain", 0.7, fade: FadeTime(seconds: 3)),
      .master(0.1), .master(1, fade: FadeTime(seconds: 5)), .blackout(true), .blackout(false),
    ]
    + ([
      .play, .playAt(3.25), .pause, .toggle, .stop, .rewind, .seek(12.3), .skip(-4), .rate(1.1),
      .pitch(.varispeed), .volume(0.3, fade: 0), .volume(0.7, fade: 2), .pan(-0.2), .loop(.forever),
      .loop(.times(3)), .section(nil), .section(1...2.5), .next, .previous, .track(4), .shuffle(seed: nil),
      .shuffle(seed: 77), .again(.one),
    ] as [PlayerCommand]).map { .transport(node: "tone", $0) } + [.transport(node: nil, .pause)]

  @Test(arguments: commands)
  func `a command is read again from its message in a score`(command: ShowCommand) throws {
    let message = try #require(command.message)
    let packet = try PacketReader().read(try message.packet())
    let readMessage = try #require(packet.messages.first)
    let requests = try CommandReader(view: try ControlFixture.view(players: ["tone"])).requests(readMessage)
    #expect(requests == [.command(command)])
  }

  @Test func `a list of files is read again if each of them may be named`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] { _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 0.1)), to: name) }
    let graph = try folder.write(
      """
      visgraph: 1
      nodes: { song: { type: file-source, path: a.wav }, meter: { type: meter } }
      wires: [song -> meter]

      """, to: "graph.yaml")
    let checked = Checker.complete.checkAnyFile(path: graph)
    let view = ControlView(
      graph: try #require(checked.graph, "\(DiagnosticText.text(checked))"), players: ["song"],
      folders: AllowedFolders([folder.path]))
    func requests(_ files: [String]) throws -> [ControlRequest] {
      let command = ShowCommand.set(path: "song.path", value: .list(files.map { .text($0) }))
      return try CommandReader(view: view).requests(try #require(command.message))
    }
    let read = try requests(["a.wav", "b.wav"]).first
    guard case .command(.set(path: "song.path", value: let value, fade: _))? = read else {
      return #expect(Bool(false), "\(String(describing: read))")
    }
    #expect(Tree.written(value.text)?.list?.map(\.text) == ["a.wav", "b.wav"])
    #expect(throws: ControlError.self) { try requests(["a.wav", "/etc/passwd"]) }
  }

  @Test func `a tap is read again if its node can be tapped`() throws {
    let view = try ControlFixture.view()
    view.beats = ["level"]
    let message = try #require(ShowCommand.tap(node: "level").message)
    #expect(try CommandReader(view: view).requests(message) == [.command(.tap(node: "level"))])
  }

  @Test func `reload, load, save and quit are not recorded in a score`() {
    for command: ShowCommand in [.reload, .load("/a.yaml"), .save, .quit] { #expect(command.message == nil) }
  }

  @Test func `marks are read as they were written`() {
    let marks: [ScoreMark] = [
      .begin(version: 1), .end, .turn("song", PlayerTurn(splice: nil, behind: 0)),
      .turn("song", PlayerTurn(splice: 1 << 40, behind: 3)),
    ]
    for mark in marks { #expect(ScoreMark(mark.message) == mark) }
    #expect(ScoreMark(Message("/visgraph/master", .float(1))) == nil)
    #expect(ScoreMark(Message("/visgraph/score/turn", .string("a"), .int64(-1), .int(0))) == nil)
  }

  private func score(_ entries: (Double, Message)...) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for (seconds, message) in entries {
      try message.packet().withUnsafeBytes {
        ScoreWriter.append($0, at: TimeTag(seconds: seconds), to: &bytes)
      }
    }
    return bytes
  }

  @Test func `a score states whether a run was recorded, and where it ended`() throws {
    let master = Message("/visgraph/master", .float(0.5))
    let hand = try ControlScore(try score((1, master)))
    #expect(!hand.isRecorded && hand.end == nil && hand.entries.count == 1)
    let run = try ControlScore(
      try score((0, ControlScore.beginMessage), (1, master), (2.5, ControlScore.endMessage)))
    #expect(run.isRecorded && run.end == 2.5)
    #expect(try ControlScore([]).entries.isEmpty)
  }

  @Test func `of a torn score the complete entries count`() throws {
    let (first, second) = (Message("/visgraph/master", .float(0.5)), Message("/visgraph/blackout", .int(1)))
    let (begin, whole) = (try score((0, ControlScore.beginMessage), (1, first)), try score((2, second)))
    for count in 1..<whole.count {
      let torn = try ControlScore(begin + whole.prefix(count))
      #expect(torn.torn == ScoreReader.Fault(byte: begin.count, reason: .torn))
      #expect(
        torn.isRecorded && torn.end == nil
          && torn.entries.map(\.messages) == [[ControlScore.beginMessage], [first]])
    }
    #expect(try ControlScore(begin + whole).torn == nil)
    // Zeros at the end, as some file systems leave them after a power failure.
    let zeros = try ControlScore(begin + [UInt8](repeating: 0, count: 5000))
    #expect(zeros.torn?.byte == begin.count && zeros.entries.count == 2)
    // Within an entry, too, but not in its argument or length, where zeros may be meant.
    for count in 1..<whole.count - 6 {
      let torn = try ControlScore(begin + whole.prefix(count) + [UInt8](repeating: 0, count: 600))
      #expect(torn.torn?.byte == begin.count && torn.entries.count == 2, "\(count)")
    }
    // Elsewhere a score is valid as a whole or not at all.
    #expect(throws: ScoreReader.Fault(byte: begin.count, reason: .torn)) {
      try ScoreReader.entries(begin + whole.dropLast())
    }
    // Data after a broken entry is no end.
    let broken = [0, 0, 0, 3] + whole
    #expect(throws: ControlScore.Fault.score(ScoreReader.Fault(byte: begin.count, reason: .size(3)))) {
      try ControlScore(begin + broken)
    }
  }

  @Test func `a file that is no score is refused with the place`() throws {
    let master = Message("/visgraph/master", .float(0.5))
    let good = try score((1, master))
    for count in 1..<good.count {
      #expect(throws: ControlScore.Fault.score(ScoreReader.Fault(byte: 0, reason: .torn))) {
        try ControlScore(Array(good.prefix(count)))
      }
    }
    #expect(
      throws: ControlScore.Fault.score(
        ScoreReader.Fault(byte: good.count, reason: .back(from: 1, to: 0.5)))
    ) { try ControlScore(good + score((0.5, master))) }
    #expect(throws: ControlScore.Fault.foreign("/a/b", seconds: 2)) {
      try ControlScore(score((2, Message("/a/b"))))
    }
    #expect(throws: ControlScore.Fault.newer(2)) {
      try ControlScore(score((0, Message("/visgraph/score/begin", .int(2)))))
    }
    // Random bytes are refused or read, and nothing else happens.
    var dice = Dice(7)
    for _ in 0..<2000 {
      var bytes = good + good
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      _ = try? ControlScore(bytes)
    }
  }
}
