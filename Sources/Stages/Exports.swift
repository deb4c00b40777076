import CWasm  // Brings what Embedded Swift asks of a C library.
import Particles

// What a page calls. A number of an emitter is that of the stream. Pointers are good until the next call: memory may
// have grown.

nonisolated(unsafe) let stage = PageStage()
nonisolated(unsafe) private var input = UnsafeMutableRawBufferPointer(start: nil, count: 0)
nonisolated(unsafe) private var output: [UInt8] = []

/// The most bytes of a record: a state of the 4,000,000 particles that a graph may have.
private let mostBytes = 1 << 28

/// Where a page puts the bytes that it has; 0 where they are too many.
@_expose(wasm, "vg_input") @_cdecl("vg_input")
func vgInput(_ bytes: UInt32) -> UnsafeMutableRawPointer? {
  guard bytes <= mostBytes else { return nil }
  if Int(bytes) > input.count {
    input.deallocate()
    input = .allocate(byteCount: Int(bytes), alignment: 16)
  }
  return input.baseAddress
}

/// The first bytes of the input.
func inputBytes(_ bytes: UInt32) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(rebasing: input[..<min(Int(bytes), input.count)])
}

/// Takes the description of a stage that stands in the input. 0: it is broken.
@_expose(wasm, "vg_describe") @_cdecl("vg_describe")
func vgDescribe(_ bytes: UInt32) -> Int32 { stage.describe(inputBytes(bytes)) ? 1 : 0 }

/// Takes the body of a record that stands in the input; returns an `EmitterDecoder.Outcome`.
@_expose(wasm, "vg_take") @_cdecl("vg_take")
func vgTake(_ kind: UInt32, _ emitter: UInt32, _ bytes: UInt32) -> Int32 {
  guard let kind = UInt8(exactly: kind).flatMap(StageRecord.init), let decoder = stage.decoder(emitter) else {
    return EmitterDecoder.Outcome.ignored.rawValue
  }
  return decoder.take(kind, inputBytes(bytes)).rawValue
}

/// The number of the last frame of an emitter; −1 where it has no state.
@_expose(wasm, "vg_frame") @_cdecl("vg_frame")
func vgFrame(_ emitter: UInt32) -> Double {
  guard let decoder = stage.decoder(emitter), !decoder.isLost else { return -1 }
  return Double(decoder.frame)
}

/// How many channels an emitter has.
@_expose(wasm, "vg_channels") @_cdecl("vg_channels")
func vgChannels(_ emitter: UInt32) -> UInt32 { UInt32(stage.decoder(emitter)?.systems.count ?? 0) }

/// How many particles of a channel live.
@_expose(wasm, "vg_live") @_cdecl("vg_live")
func vgLive(_ emitter: UInt32, _ channel: UInt32) -> UInt32 {
  guard let systems = stage.decoder(emitter)?.systems, channel < UInt32(systems.count) else { return 0 }
  return UInt32(systems[Int(channel)].live)
}

/// A number that is the same only when all particles of a channel are.
@_expose(wasm, "vg_fingerprint") @_cdecl("vg_fingerprint")
func vgFingerprint(_ emitter: UInt32, _ channel: UInt32) -> UInt64 {
  guard let systems = stage.decoder(emitter)?.systems, channel < UInt32(systems.count) else { return 0 }
  return systems[Int(channel)].fingerprint
}

/// Writes the sprites of all channels; returns how many batches they are.
@_expose(wasm, "vg_collect") @_cdecl("vg_collect")
func vgCollect() -> UInt32 {
  stage.collect()
  return UInt32(stage.batches.count)
}

/// The batches, 32 bytes each.
@_expose(wasm, "vg_batches") @_cdecl("vg_batches")
func vgBatches() -> UnsafeRawPointer? { stage.batches.withUnsafeBytes { $0.baseAddress } }

/// The sprites, 48 bytes each: `Sprite`.
@_expose(wasm, "vg_sprites") @_cdecl("vg_sprites")
func vgSprites() -> UnsafeRawPointer? { stage.sprites.withUnsafeBytes { $0.baseAddress } }

/// Writes what the materials of all channels are; returns how many bytes it is.
@_expose(wasm, "vg_materials") @_cdecl("vg_materials")
func vgMaterials() -> UInt32 {
  output = stage.materials()
  return UInt32(output.count)
}

/// The bytes that were written last.
@_expose(wasm, "vg_output") @_cdecl("vg_output")
func vgOutput() -> UnsafeRawPointer? { output.withUnsafeBytes { $0.baseAddress } }
