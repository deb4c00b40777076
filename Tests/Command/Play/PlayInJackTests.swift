import Foundation
import TestSounds
import TestSupport
import Testing

/// A list of files, played into a real server and recorded there.
@Suite(.serialized, .blockingInJack) struct PlayInJackTests {
  /// One sound cut into pieces, each coded by another encoder.
  private struct Piece {
    var file: String
    /// What ffmpeg is given; empty where LAME is the encoder.
    var coding: [String]
    /// The least ratio of the sound to the difference, in dB; nil: there is none.
    var fidelity: Double?
  }

  private static let pieces = [
    Piece(file: "1.flac", coding: ["-c:a", "flac"]),
    Piece(file: "2.m4a", coding: ["-c:a", "alac"]),
    Piece(file: "3.ogg", coding: ["-c:a", "libvorbis", "-q:a", "8"], fidelity: 15),
    Piece(file: "4.wav", coding: ["-c:a", "pcm_s24le"]),
    // ffmpeg's MP3 files say that they are 26 samples longer than they are.
    Piece(file: "5.mp3", coding: [], fidelity: 15),
    Piece(file: "6.aiff", coding: ["-c:a", "pcm_s16be"]),
    Piece(file: "7.m4a", coding: ["-c:a", "aac", "-b:a", "320k", "-aac_pns", "0"], fidelity: 12),
    Piece(file: "8.opus", coding: ["-c:a", "libopus", "-b:a", "320k"], fidelity: 12),
    Piece(file: "9.flac", coding: ["-c:a", "flac"]),
  ]

  @Test func `files of several codecs follow each other without a gap, unchanged`() throws {
    let folder = try TemporaryFolder()
    // Lengths that end inside the frames of every codec; the first sample shows where the recording has it.
    let lengths = Self.pieces.indices.map { 40_001 + 1237 * $0 }
    let sound = Self.music(lengths.reduce(0, +))
    var at = 0
    var files: [String] = []
    for (piece, length) in zip(Self.pieces, lengths) {
      let plain = folder.file("plain.wav")
      try Data(Wave.bytes(sound.map { Array($0[at..<at + length]) })).write(to: URL(filePath: plain))
      let file = folder.file(piece.file)
      var last = plain
      if piece.coding.isEmpty {
        last = folder.file("words.wav")
        try Self.make(["ffmpeg", "-v", "error", "-y", "-i", plain, "-c:a", "pcm_s16le", last])
      }
      try Self.make(
        piece.coding.isEmpty
          ? ["lame", "--quiet", "-b", "320", last, file]
          : ["ffmpeg", "-v", "error", "-y", "-i", plain] + piece.coding + [file])
      files.append(file)
      at += length
    }
    let recorded = try record(files, seconds: Double(at) / 48_000)
    let start = try #require(recorded[0].firstIndex { $0 != 0 })
    try #require(recorded[0].count - start >= at)
    at = 0
    for (piece, length) in zip(Self.pieces, lengths) {
      for channel in 0..<2 {
        let source = sound[channel][at..<at + length]
        let heard = recorded[channel][start + at..<start + at + length]
        if let fidelity = piece.fidelity {
          let ratio = Self.ratio(of: source, to: heard)
          #expect(ratio > fidelity, "\(piece.file), channel \(channel + 1): \(ratio) dB")
        } else {
          let isSame = Array(source) == Array(heard)
          #expect(
            isSame,
            "\(piece.file), channel \(channel + 1): \(Self.shift(of: source, in: recorded[channel], at: start + at))"
          )
        }
      }
      at += length
    }
    for channel in 0..<2 { #expect(recorded[channel][(start + at)...].allSatisfy { $0 == 0 }) }
  }

  /// Plays files into a server of its own and gives what a client there has heard that knows nothing of us. In
  /// freewheel: a cycle that a busy machine leaves out would be a gap that nobody has made.
  private func record(_ files: [String], seconds: Double) throws -> [[Float]] {
    let server = try JackServer()
    let client = JackTurn.clientName("player")
    let player = try Child(
      [Visgraph.path, "play", "--paused", "--host", "jack", "--server", server.name, "--client"]
        + [client, "-v"] + files)
    #expect(player.says("JACK client"), "\(player.notes)")
    let port = try player.controlPort()
    // Silence is recorded, too, until the player is asked to play: in freewheel that may be minutes.
    let tape = try JackPeer(JackTurn.clientName("tape"), server: server.name, inputs: 2, recording: 900)
    #expect(poll { tape.listen(to: client) })
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 2, sound: .silence)
    #expect(peer.freewheel(true))
    #expect(player.says("freewheel"), "\(player.notes)")
    let sender = try Child(["oscsend", "127.0.0.1", "\(port)", "/visgraph/transport/play"])
    #expect(sender.exitCode() == 0, "\(sender.notes)")
    #expect(player.exitCode(within: seconds + 20) == 0, "\(player.notes)")
    #expect(!player.notes.contains("disk was too slow"), "\(player.notes)")
    return [tape.samples(0), tape.samples(1)]
  }

  private static func make(_ command: [String]) throws {
    let ending = try Child(command)
    #expect(ending.exitCode(within: 60) == 0, "\(ending.notes)")
  }

  /// Two channels of something like music, in whole numbers of 16 bits, so that lossless codecs keep every one.
  private static func music(_ count: Int) -> [[Float]] {
    (0..<2).map { channel in
      [Float](count: count) { i in
        let t = Double(i) / 48_000
        let tone = sin(2 * .pi * (220 + 110 * Double(channel)) * t) + 0.5 * sin(2 * .pi * 554.4 * t + 1)
        let swell = 0.6 + 0.4 * sin(2 * .pi * 1.3 * t)
        return Float((16_000 * tone * swell / 1.5 + (i == 0 ? 9000 : 0)).rounded()) / 32_768
      }
    }
  }

  /// How many samples too late a sound is heard; nil where it is not near.
  private static func shift(of source: ArraySlice<Float>, in heard: [Float], at place: Int) -> Int? {
    let probe = Array(source.dropFirst(5000).prefix(200))
    return (-5000...9000).first { shift in
      let from = place + 5000 + shift
      return from >= 0 && from + 200 <= heard.count && Array(heard[from..<from + 200]) == probe
    }
  }

  /// How much larger a sound is than what differs from it, in dB.
  private static func ratio(of source: ArraySlice<Float>, to heard: ArraySlice<Float>) -> Double {
    var power = 0.0
    var error = 0.0
    for (a, b) in zip(source, heard) {
      power += Double(a) * Double(a)
      error += Double(a - b) * Double(a - b)
    }
    return 10 * log10(power / max(error, 1e-30))
  }
}
