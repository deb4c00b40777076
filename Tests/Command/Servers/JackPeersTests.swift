import Glibc
import Metering
import OSC
import TestSupport
import Testing

/// Sound of a client that knows nothing of visgraph arrives as the right floats, in the right frame.
@Suite(.serialized, .blockingInJack) struct JackPeersTests {
  @Test func `two receivers get a tone's level in the frame in which it begins`() throws {
    // A server whose client is late in freewheel leaves out cycles, which move its frames against the timeline.
    let wrong = try lastOf(3) { try placeOfTone() }
    #expect(wrong == nil)
  }

  /// Where the tone begins, if that is in another frame than its level.
  private func placeOfTone() throws -> String? {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let python = try PythonReceiver()
    var settings = JackServer.Settings()
    // No grid of the frames, which have 960 samples, and less: of two that end in one cycle the newer alone is sent.
    settings.period = 900
    let server = try JackServer(settings)
    let (toneName, earName) = (JackTurn.clientName("tone"), JackTurn.clientName("ear"))
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 50
      nodes:
        in: { type: jack-input, connect: ["\(toneName):out_1", "\(toneName):out_2"] }
        meter: { type: meter }
        level: { type: meter-table }
        rig:
          { type: osc-output, to: [127.0.0.1:\(ear.port), 127.0.0.1:\(python.port)], rate: 0, repeat: 0, freewheel: send }
        clicks: { type: tone-source, tone: impulses, frequency: 1, level: 0 }
        out: { type: jack-output, connect: ["\(earName):in_1"] }
      wires:
        - in -> meter -> level -> rig
        - clicks -> out

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--for", "9999", "-v", "--levels",
      levels)
    #expect(child.says("JACK client"), "\(child.notes)")
    // The connections were asked for before these two exist.
    let tone = try JackPeer(toneName, server: server.name, outputs: 2, sound: .silence)
    // Long enough for a freewheel in which this thread waits for a busy machine.
    let listener = try JackPeer(earName, server: server.name, inputs: 1, recording: 600)
    #expect(poll { tone.connections("visgraph:in_1") == ["\(toneName):out_1"] })
    #expect(poll { tone.connections("visgraph:in_2") == ["\(toneName):out_2"] })
    #expect(poll { tone.connections("visgraph:out_1") == ["\(earName):in_1"] })
    // A cycle that a busy machine leaves out would move the server's frames against the timeline: there are none when
    // cycles come as fast as they can.
    #expect(tone.freewheel(true))
    // Clicks stand at whole seconds of the timeline: two of them pin it to the server's frames.
    #expect(poll { listener.clicks.count >= 1 })
    #expect(poll { ear.floats("/visgraph/rig/1") == [0] && ear.floats("/visgraph/rig/2") == [0] })
    tone.play(.tone, on: 1)
    #expect(poll { ear.floats("/visgraph/rig/1").last.map { $0 > 0.707 } ?? false })
    let soFar = listener.clicks.count
    #expect(poll { listener.clicks.count >= soFar + 4 })
    let begin = try #require(tone.begin)
    let clicks = listener.clicks
    #expect(child.endsWell(SIGINT), "\(child.notes)")
    // The zero of the end is the last to arrive.
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 })

    let rows = LevelRows(levels)
    let first = try #require(rows["meter.peak/1"].firstIndex { $0 > -160 })
    // Those of before the freewheel may lie anywhere.
    let steady = clicks.suffix(3)
    guard zip(steady, steady.dropFirst()).allSatisfy({ $1 - $0 == 48000 }) else {
      return "clicks at \(clicks)"
    }
    let place = (begin - (steady.last ?? 0)).remainderAbove(48000)
    // Frames that a busy machine measures as one have the number of the last.
    let frameBegin = Int64(first > 0 ? rows.frames[first - 1] : 0) * 960
    let frameEnd = Int64(rows.frames[first]) * 960
    guard (place - frameBegin).remainderAbove(48000) < frameEnd - frameBegin else {
      return "tone at \(place), frame \(frameBegin) to \(frameEnd)"
    }
    // The first sample of the tone is its peak. From the next frame on the mean square is of whole periods.
    #expect(rows["meter.peak/1"][first] == Float(-6.020599913279624))
    let level = try #require(MeterTable()).value(-6.0206)
    #expect(abs(level - 0.7073) < 0.0001)
    #expect(abs(rows["meter/1"][first + 1] + 6.0206) < 0.0001)
    #expect(rows["level/1"][first + 1] == level)
    #expect(rows["level/2"].allSatisfy { $0 == 0 })

    // One message per change and frame, the first in the very frame; at the end a zero.
    let expected =
      [0]
      + [rows["level/1"][first], level].reduce(into: [Float]()) { list, value in
        if list.last != value { list.append(value) }
      }
    let heard = Array(ear.floats("/visgraph/rig/1").prefix(expected.count))
    // Frames that a busy machine sends as one have the newest level.
    let isWhole = child.notes.contains("merged frames 0,")
    #expect(
      heard == expected || !isWhole && heard.starts(with: [0, level]),
      "\(heard), not \(expected); \(child.notes)")
    #expect(ear.floats("/visgraph/rig/2").allSatisfy { $0 == 0 })
    // It begins with a zero, too, and may read the rest late.
    #expect(
      poll { python.values("/visgraph/rig/1").map { Float($0) } == ear.floats("/visgraph/rig/1") },
      "\(python.values("/visgraph/rig/1"))")
    return nil
  }
}

extension Int64 {
  /// The rest of a division, never negative.
  fileprivate func remainderAbove(_ divisor: Int64) -> Int64 { (self % divisor + divisor) % divisor }
}
