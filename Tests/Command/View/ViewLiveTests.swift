import Foundation
import Glibc
import TestSupport
import Testing

/// Pages that look at a running show, and steer it.
@Suite(.serialized, .blocking) struct ViewLiveTests {
  private static let graph = """
    visgraph: 1
    name: A view
    view: { key: { stage: look-at-it, desk: a-word-of-ours } }
    nodes:
      tone: { type: tone-source, level: -20 dB, channels: 2 }
      gain: { type: gain }
      meter: { type: meter }
      level: { type: meter-table }
      sparks: { type: emitter, cells: { spark: { birthRate: 80, lifetime: 1 } } }
      rig: { type: osc-output, to: "127.0.0.1:9", address: "/secret-rig/{channel}" }
    wires:
      - tone -> gain -> meter -> level -> sparks
      - level -> rig
    """

  private struct Run {
    let folder: TemporaryFolder
    let child: Child
    let port: UInt16
    let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = try folder.write(ViewLiveTests.graph, to: "graph.yaml")
      child = try Visgraph.start(
        "run", path, "--host", "clock", "--view", "--control", "off", "--for", "1200")
      port = try child.viewPort()
    }

    func end() -> Int32? {
      child.signal(SIGINT)
      return child.exitCode(within: 10)
    }
  }

  /// The answer to a request as it is sent, head and body.
  private func answer(_ port: UInt16, _ request: String) throws -> String {
    let program = """
      import socket, sys
      with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as s:
          s.sendall(sys.argv[2].encode("latin-1"))
          while part := s.recv(65536): sys.stdout.buffer.write(part)
      """
    let child = try Child(["python3", "-c", program, "\(port)", request])
    guard child.exitCode() == 0 else { throw Child.Failure(description: child.notes) }
    return child.results
  }

  private func get(_ port: UInt16, _ path: String, host: String = "127.0.0.1", _ more: String = "") throws
    -> String
  {
    try answer(
      port, "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\nAccept: text/html\r\n\(more)\r\n")
  }

  @Test func `a page gets the graph and levels, changes a setting, and gets the reason of a refusal`() throws
  {
    let run = try Run()
    let peer = try ViewPeer(
      run.port,
      sends: [
        (#"{"watch": ["graph", "targets"]}"#, "meter-table"),
        (#"{"listen": "/visgraph/level/meter", "rate": 60}"#, "/visgraph/level/meter/2"),
        (#"{"listen": "/visgraph/node/gain/gain", "rate": 60}"#, "/visgraph/node/gain/gain"),
        (#"{"send": ["/visgraph/node/gain/gain", -6]}"#, #""/visgraph/node/gain/gain":-6.0"#),
        (#"{"send": ["/visgraph/node/gain/gain", 1000]}"#, "out-of-range"),
        (#"{"ping": [1, "x"]}"#, "pong"), ("nonsense", "view-json"), (#"{"send": 1}"#, "view-argument"),
      ])
    #expect(peer.hears(#""code":"view-argument""#), "\(peer.notes) \(peer.lines.map { $0.prefix(300) })")
    #expect(peer.lines.first?.hasPrefix(#"{"hello":{"visgraph":"#) == true)
    #expect(peer.hears(#"{"pong":[1,"x"],"clock":"#))
    #expect(peer.hears(#""level":"/visgraph/level/meter","unit":"dBFS""#))
    #expect(peer.hears(#""is":"gain.gain""#) && peer.hears(#""is":"cell.birthRate""#))
    #expect(!peer.hasEnded && run.end() == 0, "\(run.child.notes)")
  }

  @Test func `pages of other origins need the key, and the stage's key is not enough to steer`() throws {
    let run = try Run()
    let stranger = try ViewPeer(run.port, origin: "https://example.org", sends: [])
    #expect(poll(within: 10) { stranger.hasEnded } && stranger.notes.contains("403"), "\(stranger.notes)")
    let wrong = try ViewPeer(run.port, path: "/socket?key=a-word", origin: "https://example.org", sends: [])
    #expect(poll(within: 10) { wrong.hasEnded } && wrong.notes.contains("403"), "\(wrong.notes)")
    let viewer = try ViewPeer(
      run.port, path: "/socket?key=look-at-it", origin: "https://example.org",
      sends: [(#"{"send": ["/visgraph/blackout", 1]}"#, nil)])
    #expect(viewer.hears(#""may":"watch""#) && viewer.hears(#""code":"view-key""#), "\(viewer.notes)")
    let desk = try ViewPeer(
      run.port, path: "/socket?key=a-word-of-ours", origin: "https://example.org",
      sends: [
        (#"{"listen": "/visgraph/blackout"}"#, #""/visgraph/blackout":0"#),
        (#"{"send": ["/visgraph/blackout", 1]}"#, #""/visgraph/blackout":1"#),
      ])
    #expect(desk.hears(#""/visgraph/blackout":1"#), "\(desk.notes)")
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `the stage's key shows the show, and no path, target, setting or sound`() throws {
    let run = try Run()
    let wishes = [
      #"{"watch": ["graph", "faults", "file", "targets", "players", "jack", "events"]}"#,
      #"{"listen": "/visgraph", "rate": 60}"#, #"{"COMMAND": "LISTEN", "DATA": "/visgraph/status/graph"}"#,
      #"{"sound": ["tone", "out", 1]}"#,
    ].map { ($0, String?.none) }
    let origin = "https://example.org"
    let viewers = try (0..<4).map { _ in
      try ViewPeer(run.port, path: "/socket?key=look-at-it", origin: origin, sends: wishes)
    }
    for viewer in viewers {
      #expect(viewer.hears(#""about":"","code":"view-key""#), "\(viewer.notes)")
      #expect(viewer.hears(#""/visgraph/level/meter/2""#) && viewer.hears(#"{"graph":{"name":"A view""#))
      #expect(viewer.hears(#""/visgraph/status/healthy""#), "\(viewer.notes)")
    }
    // The four places are the desk's.
    let desks = try (1...2).map { channel in
      try ViewPeer(
        run.port, path: "/socket?key=a-word-of-ours", origin: origin,
        sends: [
          (#"{"sound": ["tone", "out", \#(channel)]}"#, nil), (#"{"watch": ["targets", "graph"]}"#, nil),
        ])
    }
    for desk in desks {
      #expect(desk.hears(#"{"bytes": [7, 1, "#), "\(desk.notes)")
      #expect(desk.hears("secret-rig") && desk.hears(run.path), "\(desk.notes)")
    }
    for viewer in viewers {
      let all = viewer.lines.joined(separator: "\n")
      for secret in [run.folder.path, "secret-rig", "127.0.0.1:9", "birthRate", "bytes", "/visgraph/node/"] {
        #expect(!all.contains(secret), "\(secret)")
      }
    }
    let tree = try get(run.port, "/visgraph?key=look-at-it", "Origin: \(origin)\r\n")
    #expect(tree.hasPrefix("HTTP/1.1 200") && tree.contains("/visgraph/level/meter/1"))
    #expect(!tree.contains(run.folder.path) && !tree.contains("secret-rig") && !tree.contains("127.0.0.1:9"))
    #expect(
      try get(run.port, "/visgraph/status/graph?key=look-at-it", "Origin: \(origin)\r\n").hasPrefix(
        "HTTP/1.1 404"))
    #expect(try get(run.port, "/visgraph/status/graph").contains(run.folder.path))
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `a page under a name that is not this machine's is refused, and that is reported once a minute`()
    throws
  {
    let run = try Run()
    for host in ["printer", "printer.local", "home.arpa", "evil.example:7780"] {
      let answer = try get(run.port, "/desk", host: host)
      #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("view: { names: [NAME] }"), "\(answer)")
    }
    _ = try get(run.port, "/desk", "Origin: https://evil.example\r\n")
    #expect(
      run.child.says("view: a browser at 127.0.0.1 is refused, as it asks for printer: "),
      "\(run.child.notes)")
    #expect(run.child.says("view: a page of https://evil.example, in a browser at 127.0.0.1, is refused"))
    #expect(!run.child.notes.contains("home.arpa"))
    #expect(try get(run.port, "/desk", host: "localhost").hasPrefix("HTTP/1.1 200 "))
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `a name that the graph or the command line lists opens the pages`() throws {
    let folder = try TemporaryFolder()
    let text = Self.graph.replacing("view: {", with: "view: { names: [stage.example.org],")
    let path = try folder.write(text, to: "graph.yaml")
    let child = try Visgraph.start(
      "run", path, "--host", "clock", "--view", "--view-name", "Show.example.net", "--control", "off",
      "--for", "1200")
    let port = try child.viewPort()
    for host in ["stage.example.org", "show.example.net:80"] {
      #expect(try get(port, "/desk", host: host).hasPrefix("HTTP/1.1 200 "), "\(host)")
    }
    #expect(try get(port, "/desk", host: "example.org").hasPrefix("HTTP/1.1 403 "))
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
    #expect(try Visgraph.run("run", path, "--view", "--view-name", "http://stage").code == 64)
  }

  @Test func `the stage's stream is sent on request: the description, a state, then frames`() throws {
    let run = try Run()
    let peer = try ViewPeer(run.port, sends: [(#"{"stage": true}"#, nil)])
    /// The kinds of the first records of all messages so far, as graphs/VIEW.md has them.
    func kinds() -> [String] {
      peer.lines.compactMap { line in
        line.firstMatch(of: #/"bytes": \[(\d+), 1, /#).map { String($0.output.1) }
      }
    }
    #expect(poll(within: 20) { kinds().count > 90 }, "\(peer.notes) \(kinds())")
    #expect(kinds().prefix(2) == ["1", "2"])
    #expect(Set(kinds().dropFirst(2)).isSubset(of: ["3", "4", "5", "6"]), "\(kinds())")
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `pages are served with a strict policy, and only those that were built in`() throws {
    let run = try Run()
    let desk = try get(run.port, "/desk")
    #expect(desk.hasPrefix("HTTP/1.1 200 OK") && desk.contains("<script type=\"module\" src=\"/desk.js\">"))
    #expect(
      desk.contains("Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"))
    #expect(try get(run.port, "/desk", host: "example.org").hasPrefix("HTTP/1.1 403 "))
    #expect(try get(run.port, "/desk.js", host: "example.org").hasPrefix("HTTP/1.1 403 "))
    for path in [
      "/../graph.yaml", "/graph.yaml", "/%2e%2e/graph.yaml", "//etc/passwd", "/pages/desk.html",
      "/pictures/0",
    ] {
      #expect(try get(run.port, path).hasPrefix("HTTP/1.1 404 "), "\(path)")
    }
    let post = "POST /desk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi"
    #expect(try answer(run.port, post).hasPrefix("HTTP/1.1 413 "))
    #expect(try answer(run.port, "nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `clients that accept gzip get compressed pages, and others plain ones`() throws {
    let run = try Run()
    /// The head of an answer, and how many bytes follow.
    func look(_ path: String, _ more: String = "") throws -> (head: String, count: Int) {
      let program = """
        import socket, sys
        with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as s:
            s.sendall(sys.argv[2].encode("latin-1"))
            whole = b"".join(iter(lambda: s.recv(65536), b""))
        head, body = whole.split(b"\\r\\n\\r\\n", 1)
        if b"Content-Encoding" in head:
            import gzip
            sys.stdout.write(f"unpacked {len(gzip.decompress(body))}\\n")
        sys.stdout.write(f"{len(body)}\\n" + head.decode("latin-1"))
        """
      let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(more)\r\n"
      let child = try Child(["python3", "-c", program, "\(run.port)", request])
      try #require(child.exitCode() == 0, "\(child.notes)")
      let count = child.results.split(separator: "\n").first { $0.allSatisfy(\.isNumber) }
      return (child.results, Int(count ?? "") ?? 0)
    }
    let plain = try look("/desk.js")
    let packed = try look("/desk.js", "Accept-Encoding: gzip, br\r\n")
    #expect(!plain.head.contains("Content-Encoding") && plain.head.contains("Vary: Accept-Encoding"))
    #expect(packed.head.contains("Content-Encoding: gzip") && packed.count < plain.count / 2)
    #expect(packed.head.contains("unpacked \(plain.count)\n"))
    let refused = try look("/desk.js", "Accept-Encoding: gzip;q=0\r\n")
    #expect(refused.count == plain.count)
    // What is packed already is not packed again.
    #expect(!(try look("/stage.wasm.gz", "Accept-Encoding: gzip\r\n").head.contains("Content-Encoding")))
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `OSCQuery's LISTEN brings packets of OSC, and IGNORE ends them`() throws {
    let run = try Run()
    func message(_ words: String) -> String { #"{"send": ["/visgraph/master", \#(words)]}"# }
    /// As they come: the address, the type and the number of a packet.
    func packet(_ number: Float) -> String {
      let value = withUnsafeBytes(of: number.bitPattern.bigEndian, Array.init)
      let bytes = Array("/visgraph/master\0\0\0\0,f\0\0".utf8) + value
      return #"{"bytes": \#(bytes), "count": 28}"#
    }
    let peer = try ViewPeer(
      run.port, path: "/?key=a-word-of-ours",
      sends: [
        (#"{"COMMAND": "LISTEN", "DATA": "/visgraph/master"}"#, packet(1)),
        (message("0.5"), packet(0.5)),
        (#"{"COMMAND": "IGNORE", "DATA": "/visgraph/master"}"#, nil),
        (#"{"listen": "/visgraph/master", "rate": 60}"#, nil),
        (message("0.25"), #""/visgraph/master":0.25"#),
        (message("0.75"), #""/visgraph/master":0.75"#),
      ])
    #expect(peer.hears(#""/visgraph/master":0.75"#), "\(peer.lines) \(peer.notes)")
    #expect(!peer.lines.contains(packet(0.25)) && !peer.lines.contains(packet(0.75)))
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `OSCQuery states the type, range, meaning and value of a setting`() throws {
    let run = try Run()
    func json(_ path: String) throws -> [String: Any]? {
      let text = try answer(
        run.port, "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let body = text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
      return try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    }
    let gain = try #require(try json("/visgraph/node/gain/gain"))
    #expect(gain["FULL_PATH"] as? String == "/visgraph/node/gain/gain" && gain["TYPE"] as? String == "f")
    #expect(gain["ACCESS"] as? Int == 3 && gain["VALUE"] as? [Double] == [0])
    #expect(
      gain["UNIT"] as? [String] == ["gain.db-raw"] && (gain["DESCRIPTION"] as? String)?.isEmpty == false)
    let range = (gain["RANGE"] as? [[String: Double]])?.first
    #expect(range?["MIN"] == -160 && range?["MAX"] == 60)
    #expect(try json("/visgraph/master?VALUE")?["VALUE"] as? [Double] == [1])
    let root = try #require(try json("/"))
    let visgraph =
      ((root["CONTENTS"] as? [String: Any])?["visgraph"] as? [String: Any])?["CONTENTS"] as? [String: Any]
    #expect(visgraph?["node"] != nil && visgraph?["level"] != nil && visgraph?["transport"] != nil)
    #expect((try json("/?HOST_INFO")?["EXTENSIONS"] as? [String: Bool])?["LISTEN"] == true)
    func status(_ path: String) throws -> String {
      try String(
        answer(run.port, "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").prefix(12))
    }
    for (path, code) in [
      ("/visgraph/master?UNIT", 204), ("/visgraph/node?VALUE", 204), ("/visgraph/master?TAGS", 204),
      ("/visgraph/master?NIX", 400), ("/?NIX", 400), ("/visgraph/nix", 404), ("/visgraph/nix?VALUE", 404),
      ("/visgraph/node?CONTENTS", 200), ("/?kiosk", 200),
    ] { #expect(try status(path) == "HTTP/1.1 \(code)", "\(path)") }
    let peer = try ViewPeer(
      run.port, path: "/", sends: [(#"{"COMMAND": "LISTEN", "DATA": "/visgraph/master"}"#, nil)])
    // A packet: the address, then its type and a float.
    #expect(peer.hears(#"{"bytes": [47, 118, 105, 115, 103, 114, 97, 112, 104, 47, 109"#), "\(peer.notes)")
    // Another graph runs: what is known of the addresses may hold no more.
    _ = try run.folder.write(
      Self.graph.replacing("gain: {", with: "louder: {").replacing("-> gain", with: "-> louder"),
      to: "graph.yaml")
    run.child.signal(SIGHUP)
    #expect(peer.hears(#"{"COMMAND":"PATH_CHANGED","DATA":"/visgraph"}"#), "\(peer.notes)")
    #expect(try status("/visgraph/node/louder/gain") == "HTTP/1.1 200")
    #expect(try status("/visgraph/node/gain/gain") == "HTTP/1.1 404")
    #expect(run.end() == 0, "\(run.child.notes)")
  }

  @Test func `every value of OSCQuery has its stated type, and clients accept the tree`()
    throws
  {
    let run = try Run()
    let program = """
      import json, sys, urllib.request
      port = int(sys.argv[1])
      tree = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/"))
      fits = {"i": lambda v: type(v) is int, "h": lambda v: type(v) is int, "f": lambda v: type(v) in (int, float),
        "d": lambda v: type(v) in (int, float), "s": lambda v: type(v) is str, "T": lambda v: v is True,
        "F": lambda v: v is False, "N": lambda v: v is None, "I": lambda v: v is None}
      count = 0
      def walk(node):
          global count
          count += 1
          path, access = node["FULL_PATH"], node["ACCESS"]
          inner, value, type_ = node.get("CONTENTS"), node.get("VALUE"), node.get("TYPE")
          # What the library of Python asks for: an address has values or others below it.
          assert not (inner and value) and bool(access) == bool(value), path
          if value is not None:
              assert len(type_) == len(value) and all(fits[t](v) for t, v in zip(type_, value)), (path, type_, value)
              assert len(node.get("RANGE", type_)) == len(type_), path
          for name, below in (inner or {}).items():
              assert below["FULL_PATH"] == ("" if path == "/" else path) + "/" + name, path
              walk(below)
      walk(tree)
      try:
          import socket
          from zeroconf import ServiceInfo
          from pythonoscquery.osc_query_client import OSCQueryClient
      except ImportError:
          print(count, "by hand")
      else:
          here = ServiceInfo("_oscjson._tcp.local.", "a._oscjson._tcp.local.", addresses=[socket.inet_aton("127.0.0.1")], port=port)
          client = OSCQueryClient(here)
          assert client.get_host_info() is not None and client.query_node("/").contents
          print(count, "by python-oscquery")
      """
    let child = try Child(["python3", "-c", program, "\(run.port)"])
    #expect(child.exitCode(within: 30) == 0, "\(child.notes)")
    #expect((Int(child.results.prefix { $0.isNumber }) ?? 0) > 100, "\(child.results)")
    #expect(run.end() == 0, "\(run.child.notes)")
  }
}
