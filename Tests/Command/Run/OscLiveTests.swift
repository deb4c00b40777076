import OSC
import TestSounds
import TestSupport
import Testing

/// What arrives at a rig, live.
@Suite(.serialized, .blocking) struct OscLiveTests {
  @Test func `targets of one node have settings of their own`() throws {
    let folder = try TemporaryFolder()
    let (plain, slow, vector, bundle) = try (OscReceiver(), OscReceiver(), OscReceiver(), OscReceiver())
    try folder.write(Wave.bytes(Sounds.lively(seconds: 3)), to: "song.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav }
        meter: { type: meter, release: 0.2 s }
        level: { type: meter-table }
        rig:
          type: osc-output
          rate: 0
          repeat: 0
          to:
            - 127.0.0.1:\(plain.port)
            - { to: "127.0.0.1:\(slow.port)", rate: 10, address: "/show/{source}/{name}" }
            - { to: "127.0.0.1:\(vector.port)", send: vector }
            - { to: "osc.udp://127.0.0.1:\(bundle.port)/", bundle: immediate, address: "/x/{node}/{channel}" }
      wires:
        - song -> meter -> level -> rig

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "2", "-v", "--levels", levels)
    #expect(ending.code == 0, "\(ending.notes)")
    let rows = LevelRows(levels)
    for channel in 1...2 {
      let address = "/visgraph/rig/\(channel)"
      #expect(poll { plain.floats(address).last == 0 })
      // Frames run late on a busy machine are sent once, with the peak that came between first.
      let changes = rows["level/\(channel)"].reduce(into: [Float]()) { if $0.last != $1 { $0.append($1) } }
      let heard = plain.floats(address)
      #expect(heard.dropLast().allSatisfy { changes.contains($0) })
      #expect(heard.count > changes.count / 2 && heard.count <= changes.count + 1)
      #expect(heard.first == changes.first)
      #expect(heard.max() == changes.max())
    }
    // Ten occasions a second, the last a zero past the limit.
    let names = ["Left", "Right"].map { "/show/level/\($0)" }
    for name in names {
      #expect(poll { slow.floats(name).last == 0 })
      #expect((10...22).contains(slow.floats(name).count), "\(slow.floats(name).count)")
    }
    #expect(Set(slow.messages.map(\.address)) == Set(names))
    // Both channels in one message.
    #expect(poll { vector.messages.last?.values == [.float(0), .float(0)] })
    #expect(vector.messages.allSatisfy { $0.address == "/visgraph/rig" && $0.values.count == 2 })
    // Both in one bundle to be carried out at once, where both changed.
    #expect(poll { bundle.floats("/x/rig/2").last == 0 })
    let first = try #require(bundle.datagrams.first)
    #expect(hexadecimal(first.prefix(16)) == "2362756e646c65000000000000000001")
    #expect(bundle.messages.prefix(2).map(\.address) == ["/x/rig/1", "/x/rig/2"])
    #expect(bundle.messages.prefix(2).map(\.packet) == [1, 1])
  }

  @Test func `an unchanged value is repeated, and the first change after a rest is sent at once`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    // A second of silence, then sound that stays, at 25 ms into a frame of 100 ms.
    let sound = [Float](repeating: 0, count: 48000) + [Float](repeating: 0.5, count: 96000)
    try folder.write(Wave.bytes([sound]), to: "step.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        step: { type: file-source, path: step.wav }
        meter: { type: meter, reference: rms }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 2, repeat: 0.4 s }
      wires:
        - step -> meter -> level -> rig

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "2.5", "--levels", levels)
    #expect(ending.code == 0, "\(ending.notes)")
    let loud = try #require(LevelRows(levels)["level/1"].last)
    #expect(abs(loud - 0.7073) < 0.0001)
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/1").contains(loud) })
    let heard = ear.floats("/visgraph/rig/1")
    // Zero, its repeats, the change, its repeats (not oftener than the rate allows), and the zero of the end.
    let zeros = heard.prefix { $0 == 0 }.count
    let louds = heard.dropFirst(zeros).prefix { $0 == loud }.count
    #expect(heard.count == zeros + louds + 1)
    #expect((2...3).contains(zeros), "\(heard)")
    #expect((3...4).contains(louds), "\(heard)")
  }

  @Test func `events of a gate and a trigger are messages`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 3)), to: "song.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav }
        meter: { type: meter, release: 0 }
        door: { type: gate, open: -30, close: -36, hold: 0 }
        kick: { type: trigger, above: -12 }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
      wires:
        - song[1] -> meter -> door -> rig
        - meter -> kick
        - door.events -> rig.events
        - kick.events -> rig.events

      """, to: "graph.yaml")
    // Bursts of 0.2 s with as much silence between them; a busy machine may lose one, or two may fall into one frame.
    let fault = try lastOf { () -> String? in
      let before = ear.messages.count
      let ending = try Visgraph.runProgram(["run", graph, "--host", "clock", "--for", "1"])
      #expect(ending.code == 0, "\(ending.notes)")
      var events: [String] = []
      func count(_ suffix: String) -> Int { events.count { $0.hasSuffix(suffix) } }
      // What the kernel still holds is read a little later.
      let isWhole = poll(within: 0.9) {
        events = ear.messages.dropFirst(before).filter { $0.values == [.int(1)] }.map(\.address)
        return (count("/sound/1"), count("/silence/1"), count("/trigger/1")) == (3, 2, 3)
      }
      let names = [
        "/visgraph/rig/door/sound/1", "/visgraph/rig/door/silence/1", "/visgraph/rig/kick/trigger/1",
      ]
      #expect(Set(events).isSubset(of: names), "\(events)")
      return isWhole ? nil : "\(events)"
    }
    #expect(fault == nil)
    // dBFS goes out as it is.
    #expect(ear.floats("/visgraph/rig/1").contains(-160))
    #expect(ear.floats("/visgraph/rig/1").contains { $0 > -3 && $0 < -1 })
  }
}
