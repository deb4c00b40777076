import Foundation
import Glibc
import System
import TestSupport
import Testing

@testable import Playback

/// Hundreds of random lists in the forms of many programs, and the files that they name.
@Suite(.waiting) struct GeneratedListTests {
  let folder = Folder()

  @Test func `500 lists with names of all kinds lead to their files, in their order and with their titles`()
    throws
  {
    var random = RandomStream(seed: 0x4C_69_73_74)
    for number in 0..<500 {
      let place = folder["\(number)"]
      mkdir(place, 0o700)
      mkdir(place + "/sub", 0o700)
      let made = MadeList(in: place, &random)
      for entry in made.entries where entry.fault == nil {
        let file = creat(entry.path.systemPath, 0o600)
        try #require(file >= 0, "\(entry.path)")
        close(file)
      }
      let list = folder.write(made.bytes, "\(number)/a.\(made.ending)")
      let (tracks, skipped) = listedTracks(of: [list])
      let wanted = made.entries.enumerated().filter { $0.element.fault == nil }.map { place, entry in
        Track(
          made.kind == .cue ? "\(list)#\(place + 1)" : entry.path, title: entry.title, length: entry.length)
      }
      #expect(tracks == wanted, "\(number): \(made)")
      #expect(
        skipped.map(\.code) == made.faults + made.entries.compactMap(\.fault),
        "\(number): \(made): \(skipped.map(\.message))")
      guard made.kind == .cue else { continue }
      for (track, entry) in zip(wanted, made.entries.filter { $0.fault == nil }) {
        #expect(CuePath(track.path)?.file == entry.path, "\(number): \(made)")
      }
    }
  }
}
