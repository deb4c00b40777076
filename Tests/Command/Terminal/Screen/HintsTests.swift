import Engine
import Graphs
import Testing

@testable import visgraph

@Suite struct HintsTests {
  private func show(_ channel: ShowStatus.Channel, feed: ShowStatus.Source.Feed = .jack) -> ShowStatus {
    var status = Stages.small
    status.sources = [.init(id: "in", feed: feed, channels: [channel])]
    status.targets = []
    return status
  }

  private func sentences(_ status: ShowStatus, after seconds: Double = 3) -> [String] {
    Hint.grouped(Stages.later(status, seconds: seconds).hints).map {
      $0.label.isEmpty ? $0.hint.message : "\($0.label): \($0.hint.message)"
    }
  }

  @Test func `no hint appears before three seconds have passed`() {
    let status = show(Stages.channel(2, from: [], -160, sinceSound: nil))
    #expect(sentences(status, after: 2.9) == [])
    #expect(sentences(status, after: 3) == ["in_2: nothing connected: jack_connect SOURCE visgraph:in_2"])
  }

  @Test func `a reason that ends in between starts anew`() {
    var hints = Hints()
    var status = show(Stages.channel(1, from: [], -160, sinceSound: nil))
    #expect(hints.update(status) == [])
    status.time += 2
    status.sources[0].channels[0].connections = ["a:b"]
    status.sources[0].channels[0].average = -10
    status.sources[0].channels[0].sinceSound = 0
    #expect(hints.update(status) == [])
    status.time += 1
    status.sources[0].channels[0].connections = []
    #expect(hints.update(status) == [])
    status.time += 3
    #expect(hints.update(status).map(\.reason) == [.notConnected])
  }

  @Test func `the command to type has the present names, quoted for a shell`() {
    var status = show(Stages.channel(2, from: [], -160, sinceSound: nil))
    status.host.available = ["mixer:out_1", "Built-in Audio:it's 2"]
    status.sources[0].channels[0].port = "visgraph-01:in_2"
    #expect(
      sentences(status) == [
        "in_2: nothing connected: jack_connect 'Built-in Audio:it'\\''s 2' visgraph-01:in_2"
      ])
  }

  @Test func `digital silence is distinguished from no connection and from too little level`() {
    #expect(
      sentences(show(Stages.channel(1, nil, -160, sinceSound: nil))) == [
        "in_1: digital silence from mixer:out_1"
      ])
    #expect(
      sentences(show(Stages.channel(1, from: ["a:1", "b:1"], -160, sinceSound: 9)))
        == ["in_1: digital silence from all 2 connections"])
    let gate = ShowStatus.Gate(id: "quiet", isOpen: false, level: -58.2, threshold: -50)
    #expect(
      sentences(show(Stages.channel(1, nil, -58.2, gate: gate)))
        == ["in_1: -58.2 dB is below quiet, which opens at -50.0 dB"])
    let mapped = ShowStatus.Gate(id: "door", isOpen: false, level: 0.031, threshold: 0.06, isDecibels: false)
    #expect(
      sentences(show(Stages.channel(1, nil, -58.2, gate: mapped))) == [
        "in_1: 0.03 is below door, which opens at 0.06"
      ])
    let open = ShowStatus.Gate(id: "quiet", isOpen: true, level: -20, threshold: -50)
    #expect(sentences(show(Stages.channel(1, nil, -20, gate: open))) == [])
  }

  @Test func `a channel that nothing measures is not judged`() {
    #expect(sentences(show(Stages.channel(1, nil, nil, sinceSound: nil))) == [])
  }

  @Test func `without a server only that hint is shown`() {
    var status = show(Stages.channel(1, from: [], -160, sinceSound: nil))
    status.host = Stages.jack(.waiting)
    #expect(
      sentences(status) == [
        "no JACK server answers: start one (qjackctl, or jackd -d alsa), or quit and use --host clock"
      ])
    status.host.servers = SoundServers(hasPipeWire: true, hasPwJack: true)
    #expect(
      sentences(status) == [
        "no JACK server answers, but PipeWire runs: quit and start it as `pw-jack visgraph run …`"
      ])
    status.host = Stages.jack(.lost)
    #expect(sentences(status) == ["the JACK server has gone; ports and connections return with it"])
  }

  @Test func `sound without a destination is reported at once, with the running programs and what to do`() {
    var status = Stages.clock
    status.sources = []
    func said() -> [String] {
      Hint.grouped(Hints.findings(in: status)).map { "\($0.label): \($0.hint.message)" }
    }
    #expect(
      said() == [
        "out: it is not heard: no JACK server answers; no other sound server was found: start JACK (qjackctl, or "
          + "`jackd -d alsa`), then this again"
      ])
    status.host.takesServer = true
    #expect(said().first?.hasSuffix(": start JACK (qjackctl, or `jackd -d alsa`), and it is heard") == true)
    status.host.command = "play"
    status.host.servers = SoundServers(hasPipeWire: true, hasPulseAudio: true, hasPwJack: true)
    #expect(
      said() == [
        "out: it is not heard: no JACK server answers; PipeWire runs: quit and start it as `pw-jack visgraph play …`"
      ])
    status.host.servers.hasPwJack = false
    #expect(said().first?.hasSuffix(" (pw-jack is in Debian's package pipewire-jack)") == true)
    status.host.servers = SoundServers(hasPulseAudio: true)
    #expect(said().first?.contains("PulseAudio runs, which knows nothing of JACK") == true)
    status.host.isAskedFor = true
    #expect(said() == ["out: it is not heard: --host clock leads to no loudspeaker"])
    var hints = Hints()
    #expect(hints.update(status).map(\.reason) == [.unheard], "there is nothing to wait for")
  }

  @Test func `an emitter that shows nothing gets a reason after three seconds`() {
    var status = Stages.small
    status.sources = []
    status.emitters = [
      .init(id: "fire", alive: [3], nothing: "fire: all its particles are outside the stage of 320x180"),
      .init(id: "rain", alive: [0, 0]),
    ]
    let later = Stages.later(status)
    #expect(
      Hint.grouped(later.hints).map { "\($0.label)\($0.hint.message)" } == [
        "nothing is to be seen of fire: all its particles are outside the stage of 320x180"
      ])
    var log = StatusLog()
    #expect(log.update(later.status, hints: later.hints).count { $0.contains("nothing is to be seen") } == 1)
    #expect(log.update(later.status, hints: later.hints) == [])
  }

  @Test func `a JACK input in a run by the timer gets the reason why nothing arrives`() {
    var status = show(Stages.channel(1, from: [], -160, sinceSound: nil))
    status.host = Stages.clockHost(rate: 48000)
    #expect(sentences(status) == ["in_1: runs by the clock, without JACK: nothing can be connected"])
  }

  @Test func `the end of a file is reported at once, and its silence gets no hint`() {
    let file = ShowStatus.File(path: "/a/b/demo.flac", position: 3, length: 3, hasEnded: true)
    let status = show(Stages.channel(1, from: [], -160, sinceSound: 9), feed: .file(file))
    #expect(
      sentences(status, after: 0.1) == ["in: demo.flac has ended; loop: forever would start it again"])
    #expect(sentences(status, after: 9).count == 1)
  }

  @Test func `the silence of a paused player gets no hint`() {
    let file = ShowStatus.File(path: "/a/b/demo.flac", position: 1, length: 3, isHeld: true)
    let status = show(Stages.channel(1, from: [], -160, sinceSound: 9), feed: .file(file))
    #expect(sentences(status, after: 9) == [])
  }

  @Test func `a target without a receiver is reported`() {
    var status = Stages.small
    status.sources = []
    status.targets = [Stages.target(state: "nobody listens on 127.0.0.1:7700", isWell: false)]
    #expect(sentences(status) == ["rig: nobody listens on 127.0.0.1:7700"])
  }

  @Test func `channels with the same trouble share a sentence`() {
    var status = Stages.wide(4)
    status.targets = []
    for channel in 0..<4 { status.sources[0].channels[channel].connections = [] }
    #expect(
      sentences(status) == ["in_1 and 3 more of in: nothing connected: jack_connect SOURCE visgraph:in_1"])
    status.sources[0].channels.removeLast(2)
    #expect(sentences(status) == ["in_1, in_2: nothing connected: jack_connect SOURCE visgraph:in_1"])
  }

  @Test func `an unconnected output is reported with the command`() {
    var status = Stages.small
    status.sources = []
    status.targets = []
    status.outputs = [.init(id: "out", ports: [.init(name: "out_1", connections: [])])]
    #expect(sentences(status) == ["out: nothing connected: jack_connect visgraph:out_1 DESTINATION"])
  }
}
