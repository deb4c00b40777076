import Glibc
import TestSupport
import Testing

/// A crash of a thread that JACK's library has made, or that asks it for something.
@Suite(.serialized, .blockingInJack) struct CrashInJackTests {
  /// The library's own threads have the name of the one that has opened the client: its process thread, which runs the
  /// callback, is among them.
  @Test(arguments: 0..<4, CrashingShow.Kind.allCases)
  func `a crash of any thread of JACK's is dark at once, and ends the process`(
    number: Int, kind: CrashingShow.Kind
  ) throws {
    try expectEnd("jack control", number, kind)
  }

  @Test func `a crash of the thread that watches the server is dark at once, too`() throws {
    try expectEnd("jack watch", 0, .overflow)
  }

  private func expectEnd(_ thread: String, _ number: Int, _ kind: CrashingShow.Kind) throws {
    let server = try JackServer()
    let times = try CrashingShow.shortest {
      try CrashingShow(
        thread, number: number, kind,
        ["--host", "jack", "--server", server.name, "--client", JackTurn.clientName("crash")])
    }
    #expect(times.dark < 0.3)
    #expect(times.end < 2)
  }
}
