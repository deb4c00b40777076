import TestSupport
import Testing

/// A server that is too busy to let a client begin: `jack_activate` waits for a cycle no longer than twenty periods.
@Suite(.serialized, .blockingInJack) struct BusyServerTests {
  /// Stands before the library: the first calls are refused, as a server does in which no cycle came in time.
  private static let library = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdio.h>
    #include <stdlib.h>
    int jack_activate(void *client) {
      static int calls;
      if (calls++ < atoi(getenv("REFUSED"))) return dprintf(2, "not let run\\n"), -1;
      return ((int (*)(void *))dlsym(RTLD_NEXT, "jack_activate"))(client);
    }
    """

  @Test(arguments: [1, 2])
  func `a client that JACK removes is opened anew, and the run goes on`(refused: Int) throws {
    let folder = try TemporaryFolder()
    let code = try folder.write(Self.library, to: "busy.c")
    let library = folder.file("busy.so")
    let compiler = try Child(["clang", "-shared", "-fPIC", "-o", library, code, "-ldl"])
    try #require(compiler.exitCode() == 0, "\(compiler.notes)")
    let ear = try OscReceiver()
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, level: 0 dB }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
        out: { type: jack-output }
      wires: [tone -> meter -> level -> rig, tone -> out]

      """, to: "graph.yaml")
    let server = try JackServer()
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name,
      variables: ["LD_PRELOAD": library, "REFUSED": "\(refused)"])
    #expect(child.says("not let run", times: refused), "\(child.notes)")
    // A busy machine may report two in a row as of one.
    #expect(child.says("the JACK server has gone"), "\(child.notes)")
    #expect(poll { ear.floats("/visgraph/rig/1").last ?? 0 > 0.9 }, "\(child.notes)")
    #expect(child.says("the JACK server is back"), "\(child.notes)")
    let listener = try JackPeer(JackTurn.clientName("listener"), server: server.name, inputs: 1, recording: 1)
    #expect(poll { listener.ports(of: "visgraph") == ["visgraph:out_1"] })
    // Refused as long as the host only has its ports, and runs no cycles yet.
    #expect(
      poll {
        listener.connect("visgraph:out_1", "\(listener.name):in_1")
        return listener.heard != 0
      })
    child.signal(15)
    #expect(child.exitCode() == 0, "\(child.notes)")
  }
}
