import CWasm  // Provides what Embedded Swift needs of a C library.
import Particles

// The functions that a page calls. `emitter` is an emitter's number in the stream. A pointer that a function returns is
// valid until the next call, because memory may grow and move.

nonisolated(unsafe) let stage = PageStage()
/// The memory into which the page writes records and pictures.
nonisolated(unsafe) private var input = UnsafeMutableRawBufferPointer(start: nil, count: 0)
nonisolated(unsafe) private var output: [UInt8] = []

/// The most bytes of a record: enough for a state of as many particles as a graph has (`EmitterScene.totalCapacity`).
private let mostBytes = 1 << 28

/// Returns memory for `bytes` bytes of input, into which the page writes; null above the limit,
/// and for 0 bytes before the first record.
@_expose(wasm, "vg_input") @_cdecl("vg_input")
func vgInput(_ bytes: UInt32) -> UnsafeMutableRawPointer? {
  guard bytes <= mostBytes else { return nil }
  if Int(bytes) > input.count {
    input.deallocate()
    input = .allocate(byteCount: Int(bytes), alignment: 16)
  }
  return input.baseAddress
}

/// The first `bytes` bytes of the input.
func inputBytes(_ bytes: UInt32) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(rebasing: input[..<min(Int(bytes), input.count)])
}

/// Applies the stage description in the input. Returns 0 if it is invalid, else 1.
@_expose(wasm, "vg_describe") @_cdecl("vg_describe")
func vgDescribe(_ bytes: UInt32) -> Int32 { stage.describe(inputBytes(bytes)) ? 1 : 0 }

/// Applies the record in the input: `bytes` bytes of body, of a kind of `StageRecord`. Returns an
/// `EmitterDecoder.Outcome`.
@_expose(wasm, "vg_take") @_cdecl("vg_take")
func vgTake(_ kind: UInt32, _ emitter: UInt32, _ bytes: UInt32) -> Int32 {
  guard let kind = UInt8(exactly: kind).flatMap(StageRecord.init), let decoder = stage.decoder(emitter) else {
    return EmitterDecoder.Outcome.ignored.rawValue
  }
  return decoder.take(kind, inputBytes(bytes)).rawValue
}

/// The number of an emitter's last frame; −1 while it waits for a state, the first one or one that makes good a loss.
@_expose(wasm, "vg_frame") @_cdecl("vg_frame")
func vgFrame(_ emitter: UInt32) -> Double {
  guard let decoder = stage.decoder(emitter), !decoder.isLost else { return -1 }
  return Double(decoder.frame)
}

/// The number of an emitter's channels.
@_expose(wasm, "vg_channels") @_cdecl("vg_channels")
func vgChannels(_ emitter: UInt32) -> UInt32 { UInt32(stage.decoder(emitter)?.systems.count ?? 0) }

/// The number of living particles of a channel.
@_expose(wasm, "vg_live") @_cdecl("vg_live")
func vgLive(_ emitter: UInt32, _ channel: UInt32) -> UInt32 {
  guard let systems = stage.decoder(emitter)?.systems, channel < UInt32(systems.count) else { return 0 }
  return UInt32(systems[Int(channel)].live)
}

/// A hash over all particles of a channel.
@_expose(wasm, "vg_fingerprint") @_cdecl("vg_fingerprint")
func vgFingerprint(_ emitter: UInt32, _ channel: UInt32) -> UInt64 {
  guard let systems = stage.decoder(emitter)?.systems, channel < UInt32(systems.count) else { return 0 }
  return systems[Int(channel)].fingerprint
}

/// Collects the sprites of all channels. Returns the number of batches.
@_expose(wasm, "vg_collect") @_cdecl("vg_collect")
func vgCollect() -> UInt32 {
  stage.collect()
  return UInt32(stage.batches.count)
}

/// The batches of the last `vg_collect`, as `SpriteBatch`.
@_expose(wasm, "vg_batches") @_cdecl("vg_batches")
func vgBatches() -> UnsafeRawPointer? { stage.batches.withUnsafeBytes { $0.baseAddress } }

/// The sprites of the last `vg_collect`, as `Sprite`.
@_expose(wasm, "vg_sprites") @_cdecl("vg_sprites")
func vgSprites() -> UnsafeRawPointer? { stage.sprites.withUnsafeBytes { $0.baseAddress } }

/// Writes the materials of all channels to the output, one after another as `SpriteMaterial.code` walks them. Returns
/// the number of bytes.
@_expose(wasm, "vg_materials") @_cdecl("vg_materials")
func vgMaterials() -> UInt32 {
  output = stage.materials()
  return UInt32(output.count)
}

/// The output of the last call that wrote one.
@_expose(wasm, "vg_output") @_cdecl("vg_output")
func vgOutput() -> UnsafeRawPointer? { output.withUnsafeBytes { $0.baseAddress } }
