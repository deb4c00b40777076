import Foundation
import TestSupport
import Testing

/// JACK's cycles give the levels that `render` gives.
@Suite(.serialized, .blockingInJack) struct JackLevelsTests {
  @Test func `levels are those of render in real time at every period`() throws {
    let folder = try TemporaryFolder()
    let path = try offline(in: folder, seconds: 1)
    for period in [127, 1000, 4096] {
      var settings = JackServer.Settings()
      settings.period = period
      let server = try JackServer(settings)
      // Where a server is kept from running for so long that the lights go on without it, or the lights are late, there
      // are other frames. One run of many that is whole is enough, and none is a fault: nothing would be compared.
      let fault = try lastOf(30) { () -> String? in
        let out = folder.file("\(period).csv")
        try? FileManager.default.removeItem(atPath: out)
        let child = try Visgraph.start(
          "run", path, "--host", "jack", "--server", server.name, "--for", "1", "-v",
          "--levels", out)
        #expect(child.exitCode() == 0, "\(child.notes)")
        #expect(child.notes.contains("\(period) samples a cycle"), "\(child.notes)")
        guard isEven(child) else { return child.notes }
        // An overrun moves the server's time, not the timeline: it must not be seen in the levels.
        #expect(
          firstDifference(bytes(of: folder.file("render.csv")), bytes(of: out)) == nil, "\(child.notes)")
        return nil
      }
      #expect(fault == nil, "period \(period)")
    }
  }

  @Test func `levels are those of render while JACK freewheels at every period`() throws {
    let folder = try TemporaryFolder()
    let path = try offline(in: folder, seconds: 5)
    for period in [32, 64, 127, 1000, 4096] {
      var settings = JackServer.Settings()
      settings.period = period
      // Before the freewheel a busy machine may miss a cycle, or run none for so long that the lights go on without it,
      // or that the server takes no client: one run of some that is whole is enough, each with a server of its own.
      let fault = try lastOf { () -> String? in
        let server = try JackServer(settings)
        let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 2, sound: .silence)
        let out = folder.file("\(period).csv")
        try? FileManager.default.removeItem(atPath: out)
        let child = try Visgraph.start(
          "run", path, "--host", "jack", "--server", server.name, "--for", "5", "-v", "--levels", out)
        // Only now: a server that freewheels stands still when a client joins it.
        guard child.says("JACK client"), peer.freewheel(true) else { return child.notes }
        #expect(child.exitCode(within: 20) == 0, "\(child.notes)")
        #expect(child.notes.contains("freewheel: cycles come as fast as they can"), "\(child.notes)")
        guard isEven(child) else { return child.notes }
        #expect(
          firstDifference(bytes(of: folder.file("render.csv")), bytes(of: out)) == nil,
          "period \(period): \(child.notes)")
        return nil
      }
      #expect(fault == nil, "period \(period)")
    }
  }

  /// Whether a run that has ended missed no cycle, and went on by no timer meanwhile.
  private func isEven(_ child: Child) -> Bool {
    child.missedNothing && !child.notes.contains("runs no cycles")
  }

  private func offline(in folder: TemporaryFolder, seconds: Int) throws -> String {
    let path = try LevelGraphs.write(LevelGraphs.everything, in: folder, seconds: Double(seconds) + 0.5)
    let ending = try Visgraph.run("render", path, "-o", folder.file("render.csv"), "--for", "\(seconds)")
    #expect(ending.code == 0, "\(ending.notes)")
    return path
  }
}
