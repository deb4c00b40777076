import Realtime
import Synchronization
import System
import TestSounds
import Testing

@testable import Playback

/// Players that follow or lead the transport of a host.
@Suite struct PlayerFollowTests {
  let folder = Folder()

  private func set(_ transport: HostTransport, _ state: HostTransportShared.State, at frame: Int64) {
    transport.shared.pointee.wanted.store(frame, ordering: .relaxed)
    transport.shared.pointee.sample.store(frame, ordering: .relaxed)
    transport.shared.pointee.state.store(state.rawValue, ordering: .releasing)
  }

  @Test
  func `a follower gets ready for a place, starts there when the transport rolls, and goes along with it`()
    throws
  {
    let samples = noise(400_000)
    let path = folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "a.wav")
    var settings = PlayerSettings()
    settings.transport = .follow
    let transport = HostTransport()
    set(transport, .stopped, at: 96_000)
    let rig = try PlayerRig([path], settings: settings, transport: transport)
    #expect(rig.play(1000)[0].allSatisfy { $0 == 0 })
    let isReady = transport.shared.pointee.isReady(for: 96_000)
    #expect(isReady)
    #expect(!rig.player.snapshot.isPlaying)
    set(transport, .rolling, at: 96_000)
    #expect(Array(rig.play(5000)[0][480...]) == Array(samples[96_480..<101_000]))
    #expect(rig.player.snapshot.isPlaying)
    #expect(rig.player.snapshot.currentTime == 101_000 / 48000.0)
    set(transport, .rolling, at: 300_000)
    #expect(Array(rig.play(20_000)[0].suffix(1000)) == Array(samples[319_000..<320_000]))
    // Past the end there is silence, and the transport does not wait for this player.
    set(transport, .stopped, at: 500_000)
    rig.play(2000)
    let isReadyBeyond = transport.shared.pointee.isReady(for: 500_000)
    #expect(isReadyBeyond)
  }

  @Test func `a follower joins a transport that rolls although a cycle runs between all its steps`() {
    let samples = noise(200_000)
    let rig = FollowRig(
      folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "a.wav"), from: 100_000)
    for _ in 0..<200 {
      rig.step()
      rig.render(64)
    }
    #expect(Array(rig.recorded.suffix(1000)) == Array(samples[111_800..<112_800]))
  }

  @Test func `a follower whose file opens more slowly than a side plays begins at a later place`() {
    let samples = noise(400_000)
    let rig = FollowRig(folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "a.wav"), from: 10_000)
    rig.opening.action = { [unowned rig] in for _ in 0..<700 { rig.render(64) } }
    for _ in 0..<2000 {
      rig.step()
      rig.render(64)
    }
    let end = 10_000 + rig.recorded.count
    #expect(Array(rig.recorded.suffix(1000)) == Array(samples[end - 1000..<end]))
  }

  @Test func `a follower gets ready again for the place from which it rolled`() throws {
    let samples = noise(400_000)
    let path = folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "a.wav")
    var settings = PlayerSettings()
    settings.transport = .follow
    let transport = HostTransport()
    func isReady() -> Bool { transport.shared.pointee.isReady(for: 96_000) }
    transport.shared.pointee.note(.stopped, at: 96_000)
    let rig = try PlayerRig([path], settings: settings, transport: transport)
    rig.play(1000)
    #expect(isReady())
    transport.shared.pointee.note(.rolling, at: 96_000)
    rig.play(50_000)
    // Another client locates back while it rolls.
    transport.shared.pointee.note(.starting, at: 96_000)
    #expect(!isReady())
    rig.play(1000)
    #expect(isReady())
    transport.shared.pointee.note(.rolling, at: 96_000)
    #expect(Array(rig.play(5000)[0][480...]) == Array(samples[96_480..<101_000]))
  }

  @Test func `a follower that gets another list is ready for the transport's place in it`() throws {
    let samples = (1...2).map { noise(200_000, seed: $0) }
    let paths = samples.enumerated().map { number, samples in
      folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "\(number).wav")
    }
    var settings = PlayerSettings()
    settings.transport = .follow
    let transport = HostTransport()
    func isReady() -> Bool { transport.shared.pointee.isReady(for: 96_000) }
    transport.shared.pointee.note(.stopped, at: 96_000)
    let rig = try PlayerRig([paths[0]], settings: settings, transport: transport)
    rig.play(1000)
    #expect(isReady())
    rig.player.perform(.load([paths[1]]))
    #expect(!isReady())
    #expect(rig.player.snapshot.path == paths[1])
    rig.play(1000)
    #expect(isReady())
    #expect(rig.player.snapshot.currentTime == 2)
    transport.shared.pointee.note(.rolling, at: 96_000)
    #expect(Array(rig.play(5000)[0][480...]) == Array(samples[1][96_480..<101_000]))
    // While it rolls, the new list begins where the transport is.
    rig.player.perform(.load([paths[0]]))
    #expect(Array(rig.play(5000)[0].suffix(1000)) == Array(samples[0][105_000..<106_000]))
  }

  @Test func `a change while it follows keeps rate 1`() throws {
    let samples = noise(100_000)
    let path = folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "a.wav")
    var settings = PlayerSettings()
    settings.transport = .follow
    (settings.rate, settings.pitch, settings.section) = (2, .varispeed, 0.5...1)
    let transport = HostTransport()
    set(transport, .stopped, at: 0)
    let rig = try PlayerRig([path], settings: settings, transport: transport)
    rig.play(256)
    set(transport, .rolling, at: 0)
    rig.play(5000)
    rig.player.perform(.again(.all))
    #expect(Array(rig.play(20_000)[0].suffix(1000)) == Array(samples[24_000..<25_000]))
  }

  @Test func `a leader begins a shuffled list at the transport's beginning`() throws {
    let files = (0..<4).map {
      folder.write(Wave.bytes(noise(20_000), channels: 1, rate: 48000), "\($0).wav")
    }
    var settings = PlayerSettings()
    settings.transport = .lead
    settings.shuffle = 0
    while Playlist(files, settings).first == 0 { settings.shuffle! += 1 }
    let transport = HostTransport()
    set(transport, .stopped, at: 0)
    let requests = Locked<[HostTransport.Request]>([])
    transport.setLead { request in requests.withLock { $0.append(request) } }
    let rig = try PlayerRig(files, settings: settings, transport: transport)
    // A seek before it is one in the former list.
    rig.player.perform(.seek(0.1))
    rig.player.perform(.load(files))
    rig.play(256)
    #expect(requests.withLock { $0 } == [.locate(0)])
  }

  @Test func `a leader sends requests to the transport, and its places are those of the list`() throws {
    let files = (0..<2).map {
      folder.write(Wave.bytes(noise(100_000), channels: 1, rate: 48000), "\($0).wav")
    }
    var settings = PlayerSettings()
    settings.transport = .lead
    let transport = HostTransport()
    set(transport, .stopped, at: 0)
    let requests = Locked<[HostTransport.Request]>([])
    transport.setLead { request in requests.withLock { $0.append(request) } }
    let rig = try PlayerRig(files, settings: settings, transport: transport)
    for command in [.play, .seek(1), .pause] as [PlayerCommand] {
      rig.player.perform(command)
      rig.play(256)
    }
    rig.player.perform(.next)
    rig.play(256)
    #expect(requests.withLock { $0 } == [.start, .locate(48_000), .stop, .locate(100_000)])
  }

  @Test
  func `a leader uses a server whose first cycle is still to come, and plays by itself without a server`()
    throws
  {
    let path = folder.write(Wave.bytes(noise(100_000), channels: 1, rate: 48000), "a.wav")
    var settings = PlayerSettings()
    settings.transport = .lead
    let transport = HostTransport()
    let rig = try PlayerRig([path], settings: settings, transport: transport)
    rig.player.perform(.seek(0.5))
    rig.play(256)
    #expect(rig.player.snapshot.currentTime == 0.5 + 256 / 48000.0)
    let requests = Locked<[HostTransport.Request]>([])
    transport.setLead { request in requests.withLock { $0.append(request) } }
    rig.player.perform(.seek(1))
    rig.player.perform(.play)
    rig.play(256)
    #expect(requests.withLock { $0 } == [.start, .locate(48_000)])
    // The server goes to the place, and the player with it.
    set(transport, .rolling, at: 48_000)
    rig.play(5000)
    #expect(rig.player.snapshot.currentTime == 1 + 5000 / 48000.0)
  }

  @Test func `rate, pitch and section that come before the first cycle of a server are kept`() throws {
    let path = folder.write(Wave.bytes(noise(100_000), channels: 1, rate: 48000), "a.wav")
    var settings = PlayerSettings()
    settings.transport = .lead
    let transport = HostTransport()
    transport.setLead { _ in }
    let rig = try PlayerRig([path], settings: settings, transport: transport)
    for command in [.rate(2), .pitch(.varispeed), .section(0.5...1)] as [PlayerCommand] {
      rig.player.perform(command)
    }
    let kept = rig.player.snapshot.settings
    #expect(kept.rate == 2 && kept.pitch == .varispeed && kept.section == 0.5...1)
    // They are those of the player as soon as no server decides.
    transport.setLead(nil)
    rig.player.perform(.play)
    rig.play(4800)
    #expect(rig.player.snapshot.currentTime > 0.5 + 0.15)
    // While it follows, it goes at rate 1, and no command changes that.
    set(transport, .stopped, at: 0)
    rig.player.perform(.rate(3))
    #expect(rig.player.snapshot.settings.rate == 2)
  }

  @Test func `toggles in one cycle act one after the other, and afterwards other clients count again`() throws
  {
    let path = folder.write(Wave.bytes(noise(100_000), channels: 1, rate: 48000), "a.wav")
    var settings = PlayerSettings()
    settings.transport = .lead
    let transport = HostTransport()
    func note(_ state: HostTransportShared.State) {
      for _ in 0..<3 { transport.shared.pointee.note(state, at: 0) }
    }
    note(.stopped)
    let requests = Locked<[HostTransport.Request]>([])
    transport.setLead { request in requests.withLock { $0.append(request) } }
    let rig = try PlayerRig([path], settings: settings, transport: transport)
    var playing: [Bool] = []
    for _ in 0..<3 {
      rig.player.perform(.toggle)
      playing.append(rig.player.snapshot.isPlaying)
    }
    #expect(requests.withLock { $0 } == [.start, .stop, .start])
    #expect(playing == [true, false, true])
    // The transport waits for other clients, and is stopped meanwhile.
    note(.starting)
    #expect(rig.player.snapshot.isPlaying)
    rig.player.perform(.toggle)
    #expect(requests.withLock { $0.last } == .stop)
    // Another client has started it.
    note(.rolling)
    #expect(rig.player.snapshot.isPlaying)
    rig.player.perform(.toggle)
    #expect(requests.withLock { $0.suffix(2) } == [.stop, .stop])
    note(.stopped)
    #expect(!rig.player.snapshot.isPlaying)
  }
}
