import Foundation
import TestSupport
import Testing

/// A show where a program holds the lock of JACK's metadata. With servers and a network of its own, which are no turn
/// of this machine's.
@Suite(.serialized, .blocking) struct HeldMetadataTests {
  @Test(.enabled(if: apart.isPossible))
  func `where a dead program holds the lock of JACK's metadata, lights and sound begin, and it is told once`()
    throws
  {
    // On a busy machine a show may be late with its first packet, or the server with an answer.
    #expect(try lastOf(3) { try fault(in: "dead_writer") } == nil)
  }

  @Test(.enabled(if: apart.isPossible))
  func `if that lock is held beside a running server, all ports and sound are there all the same`()
    throws
  {
    // On a busy machine the server is late with an answer, too, and is reported beside its metadata.
    #expect(try lastOf(3) { try fault(in: "dead_neighbor") } == nil)
  }

  /// What a storm has found; nil: nothing. With a /dev/shm of its own: what a dead program holds there nobody gets any
  /// more.
  private func fault(in name: String) throws -> String? {
    let storms = projectFolder.appending(path: "tools/fuzz.d/jack/storms.py").path
    let child = try Child(
      Self.apart.command(["python3", storms, Visgraph.path, "1", "1", name]), variables: ["SLACK": "20"])
    return child.exitCode(within: 240) == 0 ? nil : "\(child.results) \(child.notes)"
  }

  private static let apart = Namespaces(network: true, mounts: ["-t tmpfs none /dev/shm"])
}
