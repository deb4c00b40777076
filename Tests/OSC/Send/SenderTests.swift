import Testing

@testable import OSC

@Suite struct SenderTests {
  @Test func `a channel's packet has exactly these bytes`() throws {
    let recorder = try Recorder(addresses: ["/visgraph/rig/1", "/visgraph/rig/2"])
    recorder.offer([0.5, 1], frame: 1)
    #expect(
      recorder.packets.map { hex($0.bytes) } == [
        "2f76697367726170682f7269672f3100" + "2c660000" + "3f000000",
        "2f76697367726170682f7269672f3200" + "2c660000" + "3f800000",
      ])
  }

  @Test func `a bundle's packet has exactly these bytes`() throws {
    let recorder = try Recorder(addresses: ["/a", "/bcd"]) { $0.bundle = .immediate }
    recorder.offer([0.5, -1], frame: 1)
    recorder.offer([0.5, 2], frame: 2)
    let header = "2362756e646c6500" + "0000000000000001"
    #expect(
      recorder.packets.map { hex($0.bytes) } == [
        header + "0000000c2f6100002c6600003f000000" + "000000102f626364000000002c660000bf800000",
        header + "000000102f626364000000002c66000040000000",
      ])
    #expect(recorder.sender.counts == SendCounts(packets: 2, messages: 3))
  }

  @Test func `a vector's packet has exactly these bytes`() throws {
    let recorder = try Recorder(addresses: ["/v"], channels: 3) { $0.send = .vector }
    recorder.offer([0.5, .nan, 1], frame: 1)
    recorder.offer([0.5, .nan, 1], frame: 2)
    recorder.offer([.nan, 2, .nan], frame: 3)
    #expect(
      recorder.packets.map { hex($0.bytes) } == [
        "2f760000" + "2c66666600000000" + "3f000000" + "00000000" + "3f800000",
        "2f760000" + "2c66666600000000" + "3f000000" + "40000000" + "3f800000",
      ])
    #expect(recorder.sender.counts == SendCounts(packets: 2, messages: 2))
  }

  @Test func `a vector in a bundle is a bundle with one message`() throws {
    let recorder = try Recorder(addresses: ["/v"], channels: 2) {
      $0.send = .vector
      $0.bundle = .immediate
    }
    recorder.offer([1, 2], frame: 1)
    let header = "2362756e646c6500" + "0000000000000001"
    let message = "2f760000" + "2c666600" + "3f800000" + "40000000"
    #expect(recorder.packets.map { hex($0.bytes) } == [header + "00000010" + message])
  }

  @Test func `bundles are split below 1400 bytes, and no message is lost`() throws {
    let addresses = (1...64).map { "/visgraph/rig/\($0)" }
    let recorder = try Recorder(addresses: addresses) { $0.bundle = .immediate }
    recorder.offer((1...64).map(Float.init), frame: 1)
    #expect(recorder.packets.map(\.bytes.count) == [1388, 656])
    #expect(recorder.log == (1...64).map { "1:/visgraph/rig/\($0) \(Float($0))" })
    #expect(recorder.sender.counts == SendCounts(packets: 2, messages: 64))
  }

  @Test func `a message larger than the bundle limit is sent alone`() throws {
    let long = "/" + String(repeating: "x", count: 1600)
    let recorder = try Recorder(addresses: ["/a", long, "/b"]) { $0.bundle = .immediate }
    recorder.offer([1, 2, 3], frame: 1)
    #expect(recorder.log == ["1:/a 1.0", "1:\(long) 2.0", "1:/b 3.0"])
    #expect(recorder.packets.map(\.bytes.count) == [32, 1632, 32])
  }

  @Test func `late frames send the peak first, then the newest value, past the rate`() throws {
    let recorder = try Recorder(fps: 240, addresses: ["/a", "/b"])
    recorder.offer([0.1, 0.1], frame: 1)
    recorder.sendNow([0.9, 0.1], frame: 2)
    recorder.sendNow([0.2, 0.1], frame: 2)
    #expect(recorder.log == ["1:/a 0.1", "1:/b 0.1", "2:/a 0.9", "2:/a 0.2"])
    recorder.clear()
    for frame in 3...20 { recorder.offer([Float(frame), 0.1], frame: frame) }
    // Both count: the next slots of the rate, 1, 5 and 9, are used up.
    #expect(recorder.frames == [13, 17])
  }

  @Test func `however many values went past the rate, the last one waits for at most three periods`() throws {
    let recorder = try Recorder(addresses: ["/a"]) { $0.rate = 10 }
    for frame in stride(from: 5, through: 3600, by: 5) {
      recorder.sendNow([0.9], frame: frame)
      recorder.sendNow([0.1], frame: frame)
    }
    recorder.clear()
    for frame in 3601...3700 { recorder.offer([1], frame: frame) }
    #expect(recorder.log.count == 1 && recorder.frames.allSatisfy { $0 <= 3600 + 18 })
  }

  @Test func `all newest values can be sent again`() throws {
    let recorder = try Recorder(fps: 240, addresses: ["/a", "/b", "/c"])
    recorder.sendAll(frame: 1)
    #expect(recorder.log == [])
    recorder.offer([1, 2, .nan], frame: 2)
    recorder.offer([3, 2, .nan], frame: 3)
    recorder.sendAll(frame: 4)
    #expect(recorder.log == ["2:/a 1.0", "2:/b 2.0", "4:/a 3.0", "4:/b 2.0"])
  }

  @Test func `values past every limit are sent for every channel, even one that never had a value`() throws {
    let recorder = try Recorder(fps: 240, addresses: ["/a", "/b"])
    recorder.offer([1, .nan], frame: 1)
    recorder.sendAll([0, -160], frame: 2)
    recorder.offer([0, .nan], frame: 10)
    #expect(recorder.log == ["1:/a 1.0", "2:/a 0.0", "2:/b -160.0"])
  }

  @Test func `the end sends an exact zero, once, unless set otherwise`() throws {
    let recorder = try Recorder(addresses: ["/a"])
    recorder.offer([1], frame: 1)
    recorder.finish(frame: 1)
    recorder.finish(frame: 2)
    #expect(recorder.log == ["1:/a 1.0", "1:/a 0.0"])
    let silent = try Recorder(addresses: ["/a"]) { $0.zeroOnStop = false }
    silent.offer([1], frame: 1)
    silent.finish(frame: 2)
    #expect(silent.log == ["1:/a 1.0"])
  }

  @Test func `addresses have to be valid, enough and different`() throws {
    let settings = SendSettings()
    var vector = SendSettings()
    vector.send = .vector
    #expect(throws: OSCError.equalAddresses("/a", first: 0, second: 2)) {
      try Sender(addresses: ["/a", "/b", "/a"], channels: 3, settings: settings)
    }
    #expect(throws: OSCError.addressCount(given: 1, needed: 2)) {
      try Sender(addresses: ["/a"], channels: 2, settings: settings)
    }
    #expect(throws: OSCError.addressCount(given: 2, needed: 1)) {
      try Sender(addresses: ["/a", "/b"], channels: 2, settings: vector)
    }
    let empty: [(addresses: [String], settings: SendSettings)] = [([], settings), (["/a"], vector)]
    for (addresses, settings) in empty {
      #expect(throws: OSCError.setting(name: "channels", value: 0, allowed: "1 or more")) {
        try Sender(addresses: addresses, channels: 0, settings: settings)
      }
    }
    #expect(throws: OSCError.addressStart("a")) {
      try Sender(addresses: ["a"], channels: 1, settings: settings)
    }
    #expect(throws: OSCError.packetTooLarge(bytes: 100_000, limit: 65_507)) {
      try Sender(addresses: ["/v"], channels: 20_000, settings: vector)
    }
    #expect(try Sender(addresses: ["/v"], channels: 13_000, settings: vector).channels == 13_000)
  }
}
