import Foundation
import Realtime
import System
import TestSounds
import TestSupport
import Testing

@testable import Controls
@testable import Playback

/// Players that load files on disks that are slow, or never answer.
@Suite(.blocking) struct FileOpeningsTests {
  /// A player of one file and its commands; files named `slow…` are not opened before `disk` is set.
  private final class Rig {
    let folder: TemporaryFolder
    let player: Player
    let disk = Latch(resets: .never)
    /// How many such files were to be opened.
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

    /// Sends the player a command, as the router does.
    func send(_ command: PlayerCommand) {
      let refused = refused
      guard !openings.take("song", command, refused: { fault in refused.withLock { $0.append(fault.code) } })
      else { return }
      player.perform(command)
      acted.withLock { $0.append(command) }
    }

    func load(_ name: String) -> PlayerCommand { .load([folder.file(name)]) }
    var path: String { String(player.snapshot.path.split(separator: "/").last ?? "") }
    var carriedOut: [PlayerCommand] { acted.withLock { $0 } }
    var faults: [String] { refused.withLock { $0 } }
    var isIdle: Bool { poll { !openings.isBusy("song") } }
  }

  @Test func `commands after a load act on the file that it loads, in order`() throws {
    let rig = try Rig()
    rig.send(rig.load("slow.wav"))
    rig.send(.seek(0.5))
    rig.send(.rate(2))
    rig.send(.volume(0.5, fade: 0))
    // This command is for the player, whatever it plays.
    #expect(rig.carriedOut == [.volume(0.5, fade: 0)] && rig.path == "song.wav")
    #expect(rig.player.snapshot.currentTime == 0 && rig.player.snapshot.isPlaying)
    rig.disk.set()
    #expect(rig.isIdle)
    #expect(rig.carriedOut == [.volume(0.5, fade: 0), rig.load("slow.wav"), .seek(0.5), .rate(2)])
    #expect(rig.path == "slow.wav" && rig.player.snapshot.currentTime == 0.5 && rig.faults == [])
  }

  @Test func `a disk that does not answer has a timeout, and the present file plays on`() throws {
    // On a busy machine the timeout may pass before the commands that follow the load are sent.
    let fault = try lastOf { () throws -> String? in
      let rig = try Rig(timeout: 0.2)
      rig.send(rig.load("slow.wav"))
      rig.send(.seek(0.5))
      rig.send(.rate(2))
      #expect(rig.isIdle)
      // Commands for the new file are refused with it; the rate is the player's.
      guard rig.faults == ["control-slow", "control-slow"], rig.carriedOut == [.rate(2)] else {
        return "refused: \(rig.faults), carried out: \(rig.carriedOut)"
      }
      #expect(rig.path == "song.wav" && rig.player.snapshot.isPlaying)
      // The next file is played, although that thread still waits.
      #expect(
        poll {
          // The timeout may also be too short for a busy machine.
          rig.send(rig.load("next.wav"))
          return rig.isIdle && rig.path == "next.wav"
        })
      // A file that is opened too late is dropped.
      rig.disk.set()
      #expect(stays(for: 0.1) { rig.path == "next.wav" })
      return nil
    }
    #expect(fault == nil)
  }

  @Test func `silence and the newest load do not wait for a disk`() throws {
    let rig = try Rig()
    rig.send(rig.load("slow.wav"))
    rig.send(.pause)
    #expect(!rig.player.snapshot.isPlaying && rig.carriedOut == [.pause])
    rig.send(.play)
    rig.send(.toggle)
    rig.send(rig.load("slower.wav"))
    rig.send(rig.load("next.wav"))
    #expect(rig.isIdle)
    // Commands for the replaced lists are dropped.
    #expect(rig.carriedOut == [.pause, .pause, rig.load("next.wav")])
    #expect(rig.path == "next.wav" && !rig.player.snapshot.isPlaying && rig.faults == [])
  }

  @Test func `a file that is no sound is refused, and a paused player does not start`() throws {
    let rig = try Rig()
    rig.send(.pause)
    rig.send(.load([rig.folder.file("bad.wav")], plays: true))
    #expect(rig.isIdle)
    #expect(rig.faults == ["audio-format"])
    #expect(rig.path == "song.wav" && !rig.player.snapshot.isPlaying)
    rig.send(.load([rig.folder.file("next.wav")], plays: true))
    #expect(rig.isIdle)
    #expect(rig.path == "next.wav" && rig.player.snapshot.isPlaying)
  }

  @Test func `the numbers of waiting commands and threads are limited`() throws {
    let rig = try Rig(timeout: 0.05)
    for _ in 0..<FileOpenings.mostOpening {
      rig.send(rig.load("slow.wav"))
      #expect(rig.isIdle)
    }
    rig.send(rig.load("next.wav"))
    #expect(rig.isIdle)
    #expect(rig.faults == Array(repeating: "control-slow", count: 8) + ["control-too-much"])
    rig.disk.set()
    #expect(
      poll {
        rig.send(rig.load("next.wav")); return rig.isIdle && rig.path == "next.wav"
      })
    let slow = try Rig()
    slow.send(slow.load("slow.wav"))
    #expect(poll { slow.waits.withLock { $0 } == 1 })
    for _ in 0..<FileOpenings.mostWaiting + 3 { slow.send(.skip(0)) }
    #expect(slow.faults == ["control-too-much", "control-too-much", "control-too-much"])
    slow.disk.set()
    #expect(slow.isIdle && slow.carriedOut.count == FileOpenings.mostWaiting + 1)
  }
}
