import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// A player while a sender throws rubbish at its control port.
@Suite(.blocking) struct PlayFloodTests {
  /// By UDP and on many TCP connections, as fast as it goes, for three seconds: random bytes, random bytes with an OSC
  /// head, sizes that promise too much.
  private static let program = """
    import os, random, socket, struct, sys, time
    port = int(sys.argv[1])
    dice = random.Random(4)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end = time.time() + 3
    count = 0
    heads = [b"", b"/visgraph/transport/seek\\0\\0\\0\\0", b"#bundle\\0", b"/visgraph/*/{,[\\0",
             b"\\xc0", b"/visgraph/node/song/volume\\0\\0,f\\0\\0\\x7f\\xc0\\0\\0"]
    while time.time() < end:
        rubbish = dice.choice(heads) + dice.randbytes(dice.randrange(0, 1500))
        try:
            udp.sendto(rubbish, ("127.0.0.1", port))
        except OSError:
            pass
        if count % 20 == 0:
            try:
                tcp = socket.create_connection(("127.0.0.1", port), 1)
                tcp.settimeout(0.2)
                tcp.sendall(dice.choice([b"", struct.pack(">I", len(rubbish)), b"\\xff\\xff\\xff\\xff"]) + rubbish)
                if count % 40 == 0: tcp.close()
            except OSError:
                pass
        count += 1
    print(count)
    """

  @Test func `a player under a flood of messages plays without a gap, and still answers`() throws {
    let folder = try TemporaryFolder()
    let song = try folder.write(Wave.bytes(Sounds.lively(seconds: 60)), to: "song.wav")
    // On a busy machine the player may miss samples by itself, or a sender may hardly come to send.
    let fault = try lastOf { try flood(song) }
    #expect(fault == nil)
  }

  /// Floods a player, and returns what was wrong with its sound.
  private func flood(_ song: String) throws -> String? {
    let child = try Visgraph.start("play", song, "--host", "clock", "-v")
    let port = try child.controlPort()
    #expect(child.says("plays song"))
    let flood = try Child(["python3", "-c", Self.program, "\(port)"])
    #expect(flood.exitCode() == 0, "\(flood.notes)")
    let count = Int(flood.results.split(separator: "\n").last ?? "") ?? 0
    let peer = try ControlPeer(port)
    // A sender that floods has used up what is answered in a second.
    #expect(
      try poll(within: 20) {
        try peer.send("/visgraph/status")
        return peer.answers.contains { $0.address == "/visgraph/status/node/song/underruns" }
      }, "\(child.notes)")
    let underruns = peer.answers.filter { $0.address == "/visgraph/status/node/song/underruns" }
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    // Of thousands of messages: a few kinds, each at most so often in a second, and a busy machine is flooded for
    // longer.
    #expect(child.notes.split(separator: "\n").count < 60, "\(child.notes)")
    let isWhole =
      underruns.allSatisfy { $0.arguments == [.int(0)] } && child.notes.contains("missing samples 0")
    if isWhole && count > 100 { return nil }
    return "\(count) packets, \(underruns.last?.arguments ?? []): \(child.notes)"
  }
}
