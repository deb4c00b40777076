import System
import Testing

@testable import Particles

/// The stream from an emitter to a page, from end to end.
@Suite struct StageStreamTests {
  /// The outcome of each record of a message.
  private func take(_ message: [UInt8], _ page: EmitterDecoder) -> [EmitterDecoder.Outcome] {
    message.withUnsafeBytes { bytes in
      var outcomes: [EmitterDecoder.Outcome] = []
      let isWhole = StageRecord.split(bytes) { kind, emitter, body in
        #expect(emitter == 3)
        outcomes.append(page.take(kind, body))
      }
      return isWhole ? outcomes : outcomes + [.broken]
    }
  }

  private func prints(_ systems: [ParticleSystem]) -> [UInt64] { systems.map(\.fingerprint) }

  @Test func `a page follows drives, settings, choices and pictures to the bit`() {
    let (source, page) = (StageSource(), EmitterDecoder())
    _ = source.step(merged: 5)
    #expect(take(source.state(), page) == [.taken])
    for frame in 0..<400 {
      let message = source.step(merged: frame % 97 == 50 ? 3 : 1) { channel, layer in
        layer.cells[0].cells[0].scale = Double(Float(frame % 50) / 7)
        layer.position.x = Double(Float(640 + frame % 100 * (channel + 1)))
        if frame % 60 == 7 { layer.cells[0].birthRate = Double(frame) / 3 }
        if frame == 100, channel == 0 { layer.shape = .circle }
        if frame == 150, channel == 1 { layer.cells[0].contents = .file("a picture of some length") }
        if frame == 200 { layer.seed = 9 }
        if frame == 250 { layer.cells[0].yAcceleration = .nan }
        if frame == 260 { layer.cells[0].yAcceleration = 3 }
      }
      #expect(Set(take(message, page)) == [.taken])
      if frame == 300 { source.room = 100 }
      if frame % 20 == 0 { #expect(take(source.print(), page) == [.taken]) }
      #expect(prints(page.systems) == prints(source.systems), "frame \(frame)")
      #expect(page.frame == source.frame)
    }
    #expect(source.systems.allSatisfy { $0.dropped > 0 })
    guard case .file(let address) = page.systems[1].layer.cells[0].contents else {
      return #expect(Bool(false))
    }
    #expect(address == "pictures/24")
  }

  @Test func `a frame of stereo-sparks is at most 68 bytes`() {
    let source = StageSource()
    _ = source.state()
    var sizes: Set<Int> = []
    for frame in 0..<50 {
      let size = source.step { channel, layer in
        let number = Double(Float(frame * 2 + channel) / 7)
        (layer.position.x, layer.cells[0].birthRate, layer.cells[0].velocity) = (number, number, number)
        (layer.cells[0].cells[0].scale, layer.cells[0].color.alpha) = (number, number)
      }.count
      if frame > 1 { sizes.insert(size) }
    }
    #expect(sizes == [8 + 11 + 2 + 40 + 2])
  }

  @Test func `a page that joins late, beside others, goes on with them`() {
    let (source, first, late) = (StageSource(), EmitterDecoder(), EmitterDecoder())
    #expect(Set(take(source.step(), late)) == [.lost])
    #expect(take(source.state(isNew: true), first) == [.taken])
    for frame in 0..<200 {
      let message = source.step { $1.cells[0].cells[0].scale = Double(frame % 20) / 4 }
      #expect(take(message, first) == [.taken])
      if frame >= 90 { #expect(take(message, late) == [.taken]) }
      if frame == 89 {
        let state = source.state()
        // A page that is in step does not need it.
        #expect(take(state, late) == [.taken] && take(state, first) == [.ignored])
      }
    }
    #expect(prints(first.systems) == prints(source.systems) && prints(late.systems) == prints(first.systems))
  }

  @Test func `particles that differ are noticed by the next fingerprint and corrected by a state`() {
    let (source, page) = (StageSource(), EmitterDecoder())
    _ = take(source.state(), page)
    _ = take(source.step(), page)
    page.systems[1].step(1.0 / 60)
    #expect(take(source.step(), page) == [.taken])
    #expect(take(source.print(), page) == [.differs] && page.isLost)
    #expect(take(source.step(), page) == [.lost])
    #expect(take(source.state(), page) == [.taken])
    #expect(take(source.step() + source.print(), page) == [.taken, .taken])
  }

  @Test func `64 channels of 5 drives take 4 bytes a number`() {
    let (source, page) = (StageSource(channels: 64), EmitterDecoder())
    _ = take(source.state(), page)
    var size = 0
    for frame in 0..<6 {
      let message = source.step { channel, layer in
        let number = Double(Float(frame * 64 + channel) / 7)
        (layer.position.x, layer.position.y, layer.cells[0].velocity) = (number, number, number)
        (layer.cells[0].cells[0].scale, layer.cells[0].birthRate) = (number, number)
      }
      size = message.count
      #expect(take(message, page) == [.taken])
    }
    #expect(size == 8 + 11 + 40 + 1280 + 2 && prints(page.systems) == prints(source.systems))
  }

  @Test func `a page refuses any bytes, or goes on`() {
    var dice = RandomStream(seed: 8)
    let source = StageSource()
    _ = source.step(merged: 20)
    var messages = [source.state(isNew: true)]
    for frame in 0..<12 {
      messages.append(
        source.step {
          $1.cells[0].velocity = Double(frame) / ($0 == 0 ? 4 : 3)
          if frame == 6 { $1.shape = .circle }
        })
    }
    messages.append(source.print())
    var outcomes: Set<EmitterDecoder.Outcome> = []
    for _ in 0..<3000 {
      let page = EmitterDecoder()
      for message in messages {
        var bytes = message
        if dice.next() % 3 == 0 {
          for _ in 0...dice.next() % 3 {
            bytes[Int(dice.next() % UInt64(bytes.count))] =
              dice.next() % 2 == 0 ? 0xff : UInt8(truncatingIfNeeded: dice.next())
          }
        }
        if dice.next() % 9 == 0 { bytes.removeLast(Int(dice.next() % UInt64(bytes.count))) }
        bytes.withUnsafeBytes { body in
          let isWhole = StageRecord.split(body) { outcomes.insert(page.take($0, $2)) }
          if !isWhole { outcomes.insert(.broken) }
        }
      }
    }
    #expect(outcomes == [.taken, .ignored, .lost, .differs, .broken])
  }

  @Test func `the description of a stage is decoded unchanged`() {
    var stage = StageDescription()
    (stage.build, stage.epoch, stage.size) = (.max - 1, 7, Size(width: 640, height: 360))
    stage.background = Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
    (stage.clips, stage.picture, stage.frames, stage.seconds) = (true, "pictures/1", 30_000, 1001)
    stage.delay = 0.021
    stage.emitters = [.init(number: 4, id: "sparks"), .init(number: 2, id: "glow")]
    var bytes: [UInt8] = []
    stage.append(to: &bytes)
    var read = StageDescription()
    let isWhole = bytes.withUnsafeBytes { message in
      StageRecord.split(message) { kind, _, body in
        #expect(kind == .stage)
        var reader = ByteReader(body)
        read.code(&reader)
        #expect(!reader.failed && reader.remaining == 0)
      }
    }
    var again: [UInt8] = []
    read.append(to: &again)
    #expect(isWhole && again == bytes && read.emitters == stage.emitters && read.delay == 0.021)
    for count in 0..<bytes.count {
      bytes[..<count].withUnsafeBytes { #expect(count == 0 || !StageRecord.split($0) { _, _, _ in }) }
    }
  }
}
