import Engine
import Graphs
import OSC
import Particles
import System
import TestSupport
import Testing

@testable import Nodes

@Suite struct ParticleSenderTests {
  @Test func `a particle is sixteen bytes in network byte order`() {
    let sprite = Sprite(x: 1, y: -2, scale: 0.5, red: 1, green: 0.5, blue: 0, alpha: 2, material: 1)
    #expect(
      ParticleBlob.bytes([sprite], widths: [0, 32]) == [
        0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0, 0x41, 0x80, 0, 0, 255, 128, 0, 255,
      ])
  }

  @Test func `additional fields follow each particle, in the order of the setting`() {
    let sprite = Sprite(x: 1, y: -2, z: 3, scale: 0.5, angle: -1, red: 1, material: 1, birth: 0xFFFF_FFFE)
    let bytes = ParticleBlob.bytes([sprite, sprite], widths: [0, 32], extras: [.cell, .z, .id, .rotation])
    #expect(bytes.count == 2 * 32 && bytes.prefix(32) == bytes.suffix(32))
    #expect(
      Array(bytes[16..<32]) == [
        0, 0, 0, 2, 0x40, 0x40, 0, 0, 0xFF, 0xFF, 0xFF, 0xFE, 0xBF, 0x80, 0, 0,
      ])
  }

  /// All packets that an emitter sends in some frames.
  private func packets(_ settings: String, frames: Int) throws -> [[UInt8]] {
    let packets = Locked<[[UInt8]]>([])
    let rig = try EmitterRig(
      checkEmitter(settings),
      packets: .score { _, bytes in packets.withLock { $0.append(Array(bytes)) } })
    for _ in 0..<frames {
      rig.frame([1, 1])
      rig.plan.scene[0].advance()
    }
    return packets.withLock { $0 }
  }

  private func messages(_ packets: [[UInt8]]) throws -> [Message] {
    try packets.flatMap { try PacketReader().read($0).messages }
  }

  private func blobs(_ messages: [Message], channel: Int, frame: Int32) -> [UInt8] {
    messages.filter { $0.address.hasSuffix("/\(channel)") && $0.arguments[0] == .int(frame) }.flatMap {
      if case .blob(let bytes)? = $0.arguments.last { bytes } else { [] as [UInt8] }
    }
  }

  @Test
  func `no packet is larger than an Ethernet frame, and together they hold what one large packet holds`()
    throws
  {
    let settings = cells + "birthRate: 10\nparticles: { to: 127.0.0.1:9, rate: 1000"
    let small = try packets(settings + " }", frames: 60)
    let large = try messages(packets(settings + ", packet: 16500 }", frames: 60))
    #expect(small.map(\.count).max() == 1448)
    let parts = try messages(small)
    #expect(
      parts.filter { $0.address.hasSuffix("/1") && $0.arguments[0] == .int(60) }.map(\.arguments[2])
        == stride(from: Int32(0), to: 600, by: 87).map { .int($0) })
    for frame: Int32 in [1, 30, 60] {
      let whole = blobs(large, channel: 2, frame: frame)
      #expect(!whole.isEmpty && blobs(parts, channel: 2, frame: frame) == whole)
    }
  }

  @Test(arguments: ["bundle: none, send: blob", "bundle: immediate, send: each"], [128, 400, 1452])
  func `in every form no packet exceeds the limit, and no particle is lost`(form: String, limit: Int) throws {
    let settings =
      cells + "particles: { to: 127.0.0.1:9, rate: 1000, \(form), packet: \(limit), "
      + "fields: [id] }"
    let packets = try packets(settings, frames: 40)
    #expect(packets.allSatisfy { $0.count <= limit })
    let last = try messages(packets).filter {
      $0.address.hasSuffix("/1") && $0.arguments[0] == .int(40)
    }
    #expect(last.allSatisfy { $0.arguments[1] == .int(40) })
    if form.contains("each") {
      #expect(last.map(\.arguments[2]) == (0..<40).map { .int($0) })
      #expect(last.map(\.arguments[10]) == (0..<40).map { .int($0) })
      #expect(last.allSatisfy { $0.arguments.count == 11 && $0.arguments[9] == .float(1) })
    } else {
      #expect(blobs(last, channel: 1, frame: 40).count == 40 * 20)
    }
  }

  @Test func `while no particle is alive only the three numbers of a channel are sent`() throws {
    let sent = try sent(
      "cells: { drop: { birthRate: 0 } }\nparticles: { to: 127.0.0.1:9, send: each }", frames: 1)
    #expect(sent.map(\.message.arguments) == [[.int(1), .int(0), .int(0)]])
  }

  @Test func `a packet size without room for a particle is refused`() {
    let long = String(repeating: "a", count: 100)
    #expect(
      emitterDiagnostics(
        cells + "particles: { to: 127.0.0.1:9, packet: 128, address: \"/\(long)/{channel}\" }"
      )
      .contains(
        "error: a packet of 128 bytes has no room for a particle sent to /\(long)/1 [packet-too-small]"))
    #expect(
      emitterDiagnostics(cells + "particles: { to: 127.0.0.1:9, fields: [spin] }").contains(
        "rotation, z, cell, id"))
  }

  /// Address and arguments of all messages that an emitter sends in some frames, of the first channel only.
  private func sent(
    _ settings: String, frames: Int, dimmer: Dimmer = Dimmer(), at frame: (Int) -> Void = { _ in }
  ) throws -> [(time: Double, message: Message)] {
    let packets = Locked<[(Double, [UInt8])]>([])
    let rig = try EmitterRig(
      checkEmitter(settings),
      packets: .score { time, bytes in packets.withLock { $0.append((time, Array(bytes))) } }, dimmer: dimmer)
    for number in 1...frames {
      frame(number)
      rig.frame([1, 1])
      rig.plan.scene[0].advance()
    }
    return try packets.withLock { $0 }.compactMap { time, bytes in
      guard case .message(let message) = try PacketReader().read(bytes) else { return nil }
      return message.address.hasSuffix("/1") ? (time, message) : nil
    }
  }

  private let cells = "limit: 5000\ncells: { drop: { birthRate: 60, lifetime: 1, scale: 0.25 } }\n"

  @Test func `the particles of a channel are sent at their own rate`() throws {
    let sent = try sent(cells + "particles: { to: 127.0.0.1:9, rate: 20 }", frames: 9)
    #expect(sent.map { Int(($0.time * 60).rounded()) } == [1, 3, 6, 9])
    #expect(sent[3].message.address == "/visgraph/particles/sparks/1")
    #expect(Array(sent[3].message.arguments.prefix(3)) == [.int(9), .int(9), .int(0)])
    guard case .blob(let bytes) = sent[3].message.arguments[3] else { throw Missing() }
    #expect(bytes.count == 9 * 16)
    #expect(Array(bytes[8..<12]) == [0x41, 0, 0, 0], "a quarter of the soft picture's 32 points")
  }

  @Test func `while a setting fades particles are sent at their rate, and a blackout is sent once`()
    throws
  {
    let times = Locked<[Int]>([])
    let dimmer = Dimmer()
    let rig = try EmitterRig(
      checkEmitter(cells + "particles: { to: 127.0.0.1:9, rate: 20 }"),
      packets: .score { time, _ in times.withLock { $0.append(Int((time * 60).rounded())) } }, dimmer: dimmer)
    for number in 1...17 {
      dimmer.isBlackout = number > 10
      #expect(try rig.set("sparks.birthRate", to: "\(number)"))
      rig.frame([1, 1])
      rig.plan.scene[0].advance()
    }
    // Both channels, with the blackout in the eleventh frame, in which the rate sends nothing.
    #expect(times.withLock { $0 } == [1, 3, 6, 9, 11, 12, 15].flatMap { [$0, $0] })
    #expect(rig.plan.frames.report.map(\.sent) == [14])
  }

  @Test func `many particles are sent in several messages, up to the limit`() throws {
    let settings =
      cells + "birthRate: 50\nparticles: { to: 127.0.0.1:9, rate: 1000, most: 1500, packet: 16500 }"
    let last = try sent(settings, frames: 60).filter { $0.message.arguments[0] == .int(60) }
    #expect(last.map(\.message.arguments[1]) == [.int(3000), .int(3000)])
    #expect(last.map(\.message.arguments[2]) == [.int(0), .int(1024)])
    let sizes = last.map { pair -> Int in
      guard case .blob(let bytes) = pair.message.arguments[3] else { return 0 }
      return bytes.count / 16
    }
    #expect(sizes == [1024, 476])
  }

  @Test func `without particles there is no blob`() throws {
    let sent = try sent("cells: { drop: { birthRate: 0 } }\nparticles: { to: 127.0.0.1:9 }", frames: 1)
    #expect(sent[0].message.arguments == [.int(1), .int(0), .int(0)])
  }

  @Test func `a blackout sends counts of 0 at once, past the rate, and the master scales alpha`() throws {
    let dimmer = Dimmer()
    let sent = try sent(cells + "particles: { to: 127.0.0.1:9, rate: 10 }", frames: 30, dimmer: dimmer) {
      frame in
      if frame == 9 { dimmer.isBlackout = true }
      if frame == 20 {
        dimmer.isBlackout = false
        dimmer.master = 0.5
      }
    }
    let frames = sent.map { Int(($0.time * 60).rounded()) }
    #expect(frames == [1, 6, 9, 12, 18, 24, 30])
    for place in 2...4 { #expect(Array(sent[place].message.arguments.dropFirst()) == [.int(0), .int(0)]) }
    guard case .blob(let full) = sent[1].message.arguments[3],
      case .blob(let half) = sent[5].message.arguments[3]
    else { throw Missing() }
    #expect(sent[5].message.arguments[1] == .int(24))
    #expect(full[15] == 255 && half[15] == 128)
  }

  @Test func `an invalid target or address is refused`() {
    #expect(emitterDiagnostics(cells + "particles: { to: nowhere }").contains("graph.yaml"))
    #expect(emitterDiagnostics(cells + "particles: { to: 127.0.0.1:9, address: x }").contains("graph.yaml"))
    #expect(emitterDiagnostics(cells + "particles: { rate: 3 }").contains("particles need a `to`"))
  }

  @Test func `channels cannot have the same address`() {
    #expect(
      emitterDiagnostics(cells + "particles: { to: 127.0.0.1:9, address: \"/a/{node}\" }").contains(
        "error: the particles of channels 1 and 2 would both be sent to /a/node; put {channel} into the address "
          + "[equal-addresses]"))
    #expect(emitterDiagnostics(cells + "particles: { to: 127.0.0.1:9, address: \"/a/{name}\" }") == "")
  }

  private struct Missing: Error {}
}
