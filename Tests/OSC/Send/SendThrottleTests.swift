import Testing

@testable import OSC

/// The exact frames in which values are sent; frame n ends at n ÷ fps seconds.
@Suite struct SendThrottleTests {
  @Test(arguments: [
    (25.0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 25),
    (30, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 30),
    (60, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 60),
    (100, [1, 3, 5, 6, 8, 10, 11, 13, 15, 16], 60),
    (240, [1, 5, 9, 13, 17, 21, 25, 29, 33, 37], 60),
  ])
  func `a constantly changing value is sent at the rate, whatever the frame rate`(
    fps: Double, first: [Int], perSecond: Int
  ) throws {
    let recorder = try Recorder(fps: fps)
    for frame in 1...Int(fps) * 10 { recorder.offer([Float(frame)], frame: frame) }
    #expect(Array(recorder.frames.prefix(10)) == first)
    #expect(recorder.frames.count == perSecond * 10)
  }

  @Test(arguments: [61.0, 75, 90, 144, 1000])
  func `the average is the rate for odd frame rates, too`(fps: Double) throws {
    let recorder = try Recorder(fps: fps)
    for frame in 1...Int(fps) * 10 { recorder.offer([Float(frame)], frame: frame) }
    #expect(recorder.frames.count == 600)
  }

  @Test(arguments: [(0.0, 240), (1, 1), (7.5, 8), (30, 30), (100, 100), (500, 240)])
  func `other rates are kept, too`(rate: Double, inOneSecond: Int) throws {
    let recorder = try Recorder(fps: 240) { $0.rate = rate }
    for frame in 1...240 { recorder.offer([Float(frame)], frame: frame) }
    #expect(recorder.frames.count == inOneSecond)
  }

  @Test(arguments: [(22_050.0, 60.0, 60.0), (8000, 60, 60), (44_100, 59.94, 59.94), (44_100, 59.94, 60)])
  func `frames rounded to samples lose no packet at the rate`(samples: Double, fps: Double, rate: Double)
    throws
  {
    var settings = SendSettings()
    settings.repeatInterval = 0
    settings.rate = rate
    let sender = try Sender(addresses: ["/v"], channels: 1, settings: settings)
    var count = 0
    for frame in 1...20_000 {
      let end = (Double(frame) * samples / fps).rounded() / samples
      let value = Float(frame)
      withUnsafePointer(to: value) {
        sender.offer(UnsafeBufferPointer(start: $0, count: 1), at: end) { _ in count += 1 }
      }
    }
    #expect(count == 20_000)
  }

  @Test(arguments: [25.0, 30, 60, 100, 240])
  func `the first change after a rest is sent at once, the next after a period`(fps: Double) throws {
    let recorder = try Recorder(fps: fps)
    let step = max(1, Int((fps / 60).rounded(.up)))
    recorder.offer([1], frame: 1)
    for frame in 2...99 { recorder.offer([1], frame: frame) }
    for frame in 100...100 + 2 * step { recorder.offer([Float(frame)], frame: frame) }
    let second = fps == 100 ? [102, 104] : [100 + step, 100 + 2 * step]
    #expect(recorder.frames == [1, 100] + second)
  }

  @Test(arguments: [(25.0, 2), (30, 2), (60, 2), (100, 3), (240, 5)])
  func `the last value is never lost`(fps: Double, flushed: Int) throws {
    let recorder = try Recorder(fps: fps)
    recorder.offer([1], frame: 1)
    recorder.offer([2], frame: 2)
    for frame in 3...300 { recorder.offer([2], frame: frame) }
    #expect(recorder.log == ["1:/v 1.0", "\(flushed):/v 2.0"])
  }

  @Test func `between two sends the newest value wins, and held values are counted`() throws {
    let recorder = try Recorder(fps: 240)
    for (frame, value) in [1, 2, 9, 3, 4, 4, 4].enumerated() {
      recorder.offer([Float(value)], frame: frame + 1)
    }
    #expect(recorder.log == ["1:/v 1.0", "5:/v 4.0"])
    #expect(recorder.sender.counts == SendCounts(packets: 2, messages: 2, held: 3))
  }

  @Test func `a change that is undone before the next send is not sent`() throws {
    let recorder = try Recorder(fps: 240)
    for (frame, value) in [1, 2, 1, 1, 1, 1].enumerated() { recorder.offer([Float(value)], frame: frame + 1) }
    #expect(recorder.log == ["1:/v 1.0"])
  }

  @Test(arguments: [25, 30, 60, 100, 240])
  func `an unchanged value is repeated every second`(fps: Int) throws {
    let recorder = try Recorder(fps: Double(fps)) { $0.repeatInterval = 1 }
    for frame in 1...3 * fps + 1 { recorder.offer([0.5], frame: frame) }
    #expect(recorder.frames == [1, 1 + fps, 1 + 2 * fps, 1 + 3 * fps])
  }

  @Test func `a channel is repeated after its own last packet`() throws {
    let recorder = try Recorder(addresses: ["/a", "/b"]) { $0.repeatInterval = 1 }
    for frame in 1...100 { recorder.offer([0.5, frame < 31 ? 1 : 2], frame: frame) }
    #expect(recorder.log == ["1:/a 0.5", "1:/b 1.0", "31:/b 2.0", "61:/a 0.5", "91:/b 2.0"])
  }

  @Test func `a repeat does not delay the change after it`() throws {
    let recorder = try Recorder(fps: 240) { $0.repeatInterval = 1 }
    for frame in 1...241 { recorder.offer([1], frame: frame) }
    for frame in 242...250 { recorder.offer([Float(frame)], frame: frame) }
    #expect(recorder.frames == [1, 241, 242, 246, 250])
  }

  @Test func `a repeat lets no change past the rate, and both are sent together`() throws {
    let recorder = try Recorder(fps: 240, addresses: ["/a", "/b"]) { $0.repeatInterval = 1 }
    for frame in 1...250 { recorder.offer([1, frame < 240 ? 1 : frame == 240 ? 2 : 3], frame: frame) }
    #expect(recorder.log == ["1:/a 1.0", "1:/b 1.0", "240:/b 2.0", "244:/a 1.0", "244:/b 3.0"])
  }

  @Test func `repeats alone keep the rate, too`() throws {
    let recorder = try Recorder(fps: 240) { $0.repeatInterval = 0.001 }
    for frame in 1...240 { recorder.offer([1], frame: frame) }
    #expect(recorder.frames.count == 60)
  }

  @Test func `a value within the threshold is not sent, and an exact zero always is`() throws {
    let recorder = try Recorder { $0.change = 0.1 }
    for (frame, value) in ([0.5, 0.55, 0.45, 0.65, 0.6, 0.7, 0.76, 0.05, 0, 0, 0.05] as [Float]).enumerated()
    {
      recorder.offer([value], frame: frame + 1)
    }
    #expect(recorder.log == ["1:/v 0.5", "4:/v 0.65", "7:/v 0.76", "8:/v 0.05", "9:/v 0.0"])
  }

  @Test func `a repeat sends the value that was within the threshold`() throws {
    let recorder = try Recorder {
      $0.change = 0.1
      $0.repeatInterval = 1
    }
    for frame in 1...61 { recorder.offer([frame == 1 ? 0.5 : 0.55], frame: frame) }
    #expect(recorder.log == ["1:/v 0.5", "61:/v 0.55"])
  }

  @Test func `a value that is not a number is never sent, and the one before it stays`() throws {
    let recorder = try Recorder { $0.repeatInterval = 1 }
    recorder.offer([.nan], frame: 1)
    recorder.offer([0.5], frame: 2)
    for frame in 3...62 { recorder.offer([.nan], frame: frame) }
    recorder.offer([-.infinity], frame: 63)
    recorder.offer([-.infinity], frame: 64)
    #expect(recorder.log == ["2:/v 0.5", "62:/v 0.5", "63:/v -inf"])
  }

  @Test func `missing values stay, and surplus values are ignored`() throws {
    let recorder = try Recorder(addresses: ["/a", "/b"])
    recorder.offer([1, 2], frame: 1)
    recorder.offer([3], frame: 2)
    recorder.offer([3, 2, 9], frame: 3)
    recorder.offer([], frame: 4)
    #expect(recorder.log == ["1:/a 1.0", "1:/b 2.0", "2:/a 3.0"])
  }

  @Test func `a negative zero is sent as zero`() throws {
    let recorder = try Recorder()
    recorder.offer([-0.0], frame: 1)
    recorder.offer([0], frame: 2)
    #expect(recorder.packets.map { hex($0.bytes) } == ["2f7600002c66000000000000"])
  }

  @Test func `a timeline that jumps back does not stop the sending`() throws {
    let recorder = try Recorder { $0.repeatInterval = 1 }
    recorder.offer([1], frame: 600_000)
    recorder.offer([2], frame: 1)
    for frame in 2...70 { recorder.offer([2], frame: frame) }
    #expect(recorder.frames == [600_000, 2, 62])
    recorder.clear()
    [Float(7)].withUnsafeBufferPointer { values in
      recorder.sender.offer(values, at: .nan) { _ in }
    }
    recorder.offer([8], frame: 100)
    #expect(recorder.log == ["100:/v 8.0"])
  }
}
