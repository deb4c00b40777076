import Foundation
import Realtime
import System
import TestSounds
import TestSupport
import Testing

@testable import Controls
@testable import Playback

/// Players that are led to files on disks that take their time, or never answer.
@Suite(.blocking) struct FileOpeningsTests {
  /// A player of one file and what it did; files called `slow…` are not open before `disk` is set.
  private final class Rig {
    let folder: TemporaryFolder
    let player: Player
    let disk = Latch(resets: .never)
    /// How often such a file was to be opened.
    let waits = Locked(0)
    let acted = Locked<[PlayerCommand]>([])
    let refused = Locked<[String]>([])
    let openings: FileOpenings

    init(timeout: Double = 100) throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      for name in ["song.wav", "next.wav", "slow.wav", "slower.wav"] {
        try folder.write(Wave.bytes([noise(48_000)]), to: name)
      }
      _ = try folder.write("no sound", to: "bad.wav")
      let (disk, waits) = (disk, waits)
      let player = try Player(
        [folder.file("song.wav")], settings: PlayerSettings(), channels: 1, hostRate: 48_000,
        isRealTime: true, transport: HostTransport()
      ) { path throws(AudioError) in
        if path.contains("slow") {
          waits.withLock { $0 += 1 }
          disk.wait()
        }
        return try openAudio(path)
      }
      self.player = player
      player.prime()
      let acted = acted
      openings = FileOpenings(timeout: timeout, player: { $0 == "song" ? player : nil }) { _, opened, _ in
        player.perform(opened)
        acted.withLock { $0.append(opened.command) }
      }
    }

    deinit { disk.set() }

    /// Asks the player as the router does.
    func ask(_ command: PlayerCommand) {
      let refused = refused
      guard !openings.take("song", command, refused: { fault in refused.withLock { $0.append(fault.code) } })
      else { return }
      player.perform(command)
      acted.withLock { $0.append(command) }
    }

    func load(_ name: String) -> PlayerCommand { .load([folder.file(name)]) }
    var path: String { String(player.snapshot.path.split(separator: "/").last ?? "") }
    var done: [PlayerCommand] { acted.withLock { $0 } }
    var faults: [String] { refused.withLock { $0 } }
    var isIdle: Bool { poll { !openings.isBusy("song") } }
  }

  @Test func `what is asked for behind a load acts on the file that it loads, in order`() throws {
    let rig = try Rig()
    rig.ask(rig.load("slow.wav"))
    rig.ask(.seek(0.5))
    rig.ask(.rate(2))
    rig.ask(.volume(0.5, fade: 0))
    // It is of the player, whatever it plays.
    #expect(rig.done == [.volume(0.5, fade: 0)] && rig.path == "song.wav")
    #expect(rig.player.snapshot.currentTime == 0 && rig.player.snapshot.isPlaying)
    rig.disk.set()
    #expect(rig.isIdle)
    #expect(rig.done == [.volume(0.5, fade: 0), rig.load("slow.wav"), .seek(0.5), .rate(2)])
    #expect(rig.path == "slow.wav" && rig.player.snapshot.currentTime == 0.5 && rig.faults == [])
  }

  @Test func `a disk that does not answer is waited for so long, and what plays goes on`() throws {
    let rig = try Rig(timeout: 0.2)
    rig.ask(rig.load("slow.wav"))
    rig.ask(.seek(0.5))
    rig.ask(.rate(2))
    #expect(rig.isIdle)
    // What would have gone on from it is refused with it; how it plays is not of the file.
    #expect(rig.faults == ["control-slow", "control-slow"])
    #expect(rig.done == [.rate(2)])
    #expect(rig.path == "song.wav" && rig.player.snapshot.isPlaying)
    // The next file is played, though that thread still waits.
    rig.ask(rig.load("next.wav"))
    #expect(rig.isIdle && rig.path == "next.wav")
    // What comes too late is nobody's any more.
    rig.disk.set()
    #expect(stays(for: 0.1) { rig.path == "next.wav" })
  }

  @Test func `silence and the newest load do not wait for a disk`() throws {
    let rig = try Rig()
    rig.ask(rig.load("slow.wav"))
    rig.ask(.pause)
    #expect(!rig.player.snapshot.isPlaying && rig.done == [.pause])
    rig.ask(.play)
    rig.ask(.toggle)
    rig.ask(rig.load("slower.wav"))
    rig.ask(rig.load("next.wav"))
    #expect(rig.isIdle)
    // What was to be done with the lists that were replaced is not done.
    #expect(rig.done == [.pause, .pause, rig.load("next.wav")])
    #expect(rig.path == "next.wav" && !rig.player.snapshot.isPlaying && rig.faults == [])
  }

  @Test func `a file that is no sound is refused, and what held still does not begin to play`() throws {
    let rig = try Rig()
    rig.ask(.pause)
    rig.ask(.load([rig.folder.file("bad.wav")], plays: true))
    #expect(rig.isIdle)
    #expect(rig.faults == ["audio-format"])
    #expect(rig.path == "song.wav" && !rig.player.snapshot.isPlaying)
    rig.ask(.load([rig.folder.file("next.wav")], plays: true))
    #expect(rig.isIdle)
    #expect(rig.path == "next.wav" && rig.player.snapshot.isPlaying)
  }

  @Test func `no more commands wait than may, and no more threads`() throws {
    let rig = try Rig(timeout: 0.05)
    for _ in 0..<FileOpenings.mostOpening {
      rig.ask(rig.load("slow.wav"))
      #expect(rig.isIdle)
    }
    rig.ask(rig.load("next.wav"))
    #expect(rig.isIdle)
    #expect(rig.faults == Array(repeating: "control-slow", count: 8) + ["control-too-much"])
    rig.disk.set()
    #expect(
      poll {
        rig.ask(rig.load("next.wav")); return rig.isIdle && rig.path == "next.wav"
      })
    let slow = try Rig()
    slow.ask(slow.load("slow.wav"))
    #expect(poll { slow.waits.withLock { $0 } == 1 })
    for _ in 0..<FileOpenings.mostWaiting + 3 { slow.ask(.skip(0)) }
    #expect(slow.faults == ["control-too-much", "control-too-much", "control-too-much"])
    slow.disk.set()
    #expect(slow.isIdle && slow.done.count == FileOpenings.mostWaiting + 1)
  }
}
