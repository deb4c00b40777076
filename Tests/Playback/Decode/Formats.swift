import Foundation
import TestSounds
import Testing

@testable import Playback

/// A file format that another program writes at test time, with the expected results.
struct Format: Sendable, CustomTestStringConvertible {
  /// The reference for a decode.
  enum Reference: Sendable {
    /// The encoder's input, to the last of this many bits (8 also for u-law: then the encoder's own decode).
    case source
    /// FFmpeg's decode, within an amplitude.
    case ffmpeg(Float)
    /// The decode of the encoding program, within an amplitude.
    case encoder(Float)
  }

  /// The names of codec and container.
  let title: String
  /// The encoding program.
  let program: String
  /// The name of the file.
  let file: String
  /// Arguments between the source and the file.
  var arguments: [String] = []
  /// The expected result.
  var reference = Reference.source
  /// The largest allowed difference between samples after a seek and a straight decode.
  var seekTolerance: Float = 0
  /// Samples beyond the source's that a container without a length has.
  var extra: ClosedRange<Int> = 0...0
  /// The codec's own rate, channels and samples.
  var rate = 44100
  var channels = 2
  /// Whether the program can write tags into the format.
  var hasTags = true
  /// The expected `AudioFormat.codec`.
  let codec: String
  /// Bits of the source.
  var bits = 16

  var testDescription: String { "\(title) by \(program)" }

  /// Samples of the source for each channel: no multiple of any frame size.
  static let frames = 132_137

  /// The formats that programs of Debian write.
  static let all: [Format] = pcm + compressed

  private static let pcm: [Format] = {
    func ffmpeg(
      _ container: String, _ file: String, _ coder: String, _ codec: String, _ more: [String] = [],
      bits: Int = 16, reference: Reference = .source, tags: Bool = true
    ) -> Format {
      Format(
        title: "\(codec) in \(container)", program: "ffmpeg", file: file, arguments: ["-c:a", coder] + more,
        reference: reference, hasTags: tags, codec: codec, bits: bits)
    }
    let exact = Reference.ffmpeg(0)
    return [
      ffmpeg("WAV", "a.wav", "pcm_u8", "pcm_u8", bits: 8), ffmpeg("WAV", "a.wav", "pcm_s16le", "pcm_s16"),
      ffmpeg("WAV", "a.wav", "pcm_s24le", "pcm_s24", bits: 24),
      ffmpeg("WAV", "a.wav", "pcm_s32le", "pcm_s32", bits: 24),
      ffmpeg("WAV", "a.wav", "pcm_f32le", "pcm_f32", bits: 24),
      ffmpeg("WAV", "a.wav", "pcm_f64le", "pcm_f64", bits: 24),
      ffmpeg("WAV", "a.wav", "pcm_mulaw", "ulaw", reference: exact),
      ffmpeg("WAV", "a.wav", "pcm_alaw", "alaw", reference: exact),
      ffmpeg("RF64", "a.wav", "pcm_s24le", "pcm_s24", ["-rf64", "always"], bits: 24),
      Format(title: "pcm_s16 in W64", program: "sox", file: "a.w64", hasTags: false, codec: "pcm_s16"),
      ffmpeg("AIFF", "a.aiff", "pcm_s16be", "pcm_s16", ["-write_id3v2", "1"]),
      ffmpeg("AIFF", "a.aiff", "pcm_s24be", "pcm_s24", ["-write_id3v2", "1"], bits: 24),
      ffmpeg("AIFF", "a.aiff", "pcm_s32be", "pcm_s32", ["-write_id3v2", "1"], bits: 24),
      ffmpeg("AIFC", "a.aifc", "pcm_s16le", "pcm_s16", ["-f", "aiff", "-write_id3v2", "1"]),
      ffmpeg("AIFC", "a.aifc", "pcm_f32be", "pcm_f32", ["-f", "aiff", "-write_id3v2", "1"], bits: 24),
      ffmpeg("AIFC", "a.aifc", "pcm_f64be", "pcm_f64", ["-f", "aiff", "-write_id3v2", "1"], bits: 24),
      ffmpeg("AIFC", "a.aifc", "pcm_mulaw", "ulaw", ["-f", "aiff", "-write_id3v2", "1"], reference: exact),
      ffmpeg("AIFC", "a.aifc", "pcm_alaw", "alaw", ["-f", "aiff", "-write_id3v2", "1"], reference: exact),
      ffmpeg("CAF", "a.caf", "pcm_s16le", "pcm_s16"),
      ffmpeg("CAF", "a.caf", "pcm_s24be", "pcm_s24", bits: 24),
      ffmpeg("CAF", "a.caf", "pcm_s32le", "pcm_s32", bits: 24),
      ffmpeg("CAF", "a.caf", "pcm_f32le", "pcm_f32", bits: 24),
      ffmpeg("CAF", "a.caf", "pcm_f64be", "pcm_f64", bits: 24),
      ffmpeg("CAF", "a.caf", "pcm_mulaw", "ulaw", reference: exact),
      ffmpeg("CAF", "a.caf", "pcm_alaw", "alaw", reference: exact),
      ffmpeg("AU", "a.au", "pcm_s16be", "pcm_s16", tags: false),
      ffmpeg("AU", "a.au", "pcm_s24be", "pcm_s24", bits: 24, tags: false),
      ffmpeg("AU", "a.au", "pcm_s32be", "pcm_s32", bits: 24, tags: false),
      ffmpeg("AU", "a.au", "pcm_f32be", "pcm_f32", bits: 24, tags: false),
      ffmpeg("AU", "a.au", "pcm_f64be", "pcm_f64", bits: 24, tags: false),
      ffmpeg("AU", "a.au", "pcm_mulaw", "ulaw", reference: exact, tags: false),
      ffmpeg("AU", "a.au", "pcm_alaw", "alaw", reference: exact, tags: false),
      ffmpeg("MOV", "a.mov", "pcm_s24le", "pcm_s24", bits: 24),
    ]
  }()

  private static let compressed: [Format] = [
    Format(
      title: "AAC in M4A", program: "ffmpeg", file: "a.m4a", arguments: ["-c:a", "aac", "-aac_pns", "0"],
      reference: .ffmpeg(0.0001), codec: "aac"),
    Format(
      title: "AAC in M4A, 32 kbit/s", program: "ffmpeg", file: "a.m4a",
      arguments: ["-c:a", "aac", "-b:a", "32k", "-aac_pns", "0"], reference: .ffmpeg(0.0001), codec: "aac"),
    // The decoder substitutes noise, different in each run.
    Format(
      title: "AAC in M4A, noise substituted", program: "ffmpeg", file: "a.m4a", arguments: ["-c:a", "aac"],
      reference: .ffmpeg(0.0001), seekTolerance: 1, codec: "aac"),
    Format(
      title: "AAC in ADTS", program: "ffmpeg", file: "a.aac",
      arguments: ["-c:a", "aac", "-aac_pns", "0", "-write_id3v2", "1"], reference: .ffmpeg(0.0001),
      extra: 1024...3072, codec: "aac"),
    Format(
      title: "ALAC in M4A, 16 bit", program: "ffmpeg", file: "a.m4a", arguments: ["-c:a", "alac"],
      codec: "alac"),
    Format(
      title: "ALAC in M4A, 24 bit", program: "ffmpeg", file: "a.m4a",
      arguments: ["-c:a", "alac", "-sample_fmt", "s32p"], codec: "alac", bits: 24),
    Format(
      title: "ALAC in CAF", program: "ffmpeg", file: "a.caf", arguments: ["-c:a", "alac"], codec: "alac"),
    Format(
      title: "MP3, constant bit rate", program: "lame", file: "a.mp3",
      arguments: ["--quiet", "--cbr", "-b", "128"],
      reference: .ffmpeg(1e-4), seekTolerance: 2e-6, codec: "mp3"),
    Format(
      title: "MP3, variable bit rate", program: "lame", file: "a.mp3", arguments: ["--quiet", "-V", "2"],
      reference: .ffmpeg(1e-4), seekTolerance: 2e-6, codec: "mp3"),
    Format(
      title: "MP3 without a header of its length", program: "lame", file: "a.mp3",
      arguments: ["--quiet", "-t", "--cbr", "-b", "128"], reference: .ffmpeg(1e-4), seekTolerance: 2e-6,
      extra: 0...4000,
      codec: "mp3"),
    Format(
      title: "MP2", program: "ffmpeg", file: "a.mp2", arguments: ["-c:a", "mp2"], reference: .ffmpeg(1e-4),
      extra: 0...2304, hasTags: false, codec: "mp2"),
    Format(
      title: "WavPack", program: "ffmpeg", file: "a.wv", arguments: ["-c:a", "wavpack"], codec: "wavpack"),
    Format(title: "TTA", program: "ffmpeg", file: "a.tta", arguments: ["-c:a", "tta"], codec: "tta"),
    // For a frame without bits a decoder makes noise, different in each run.
    Format(
      title: "AC-3", program: "ffmpeg", file: "a.ac3", arguments: ["-c:a", "ac3"], reference: .ffmpeg(0.01),
      seekTolerance: 0.01, extra: 0...3072, hasTags: false, codec: "ac3"),
    Format(
      title: "Windows Media Audio 2", program: "ffmpeg", file: "a.wma", arguments: ["-c:a", "wmav2"],
      reference: .ffmpeg(1e-4), extra: -4096...4096, codec: "wmav2"),
    Format(
      title: "IMA4 in AIFC", program: "ffmpeg", file: "a.aifc",
      arguments: ["-c:a", "adpcm_ima_qt", "-f", "aiff", "-write_id3v2", "1"],
      reference: .ffmpeg(0), extra: 0...63, codec: "ima4"),
    Format(
      title: "IMA4 in CAF", program: "ffmpeg", file: "a.caf", arguments: ["-c:a", "adpcm_ima_qt"],
      reference: .ffmpeg(0), extra: 0...63, codec: "ima4"),
    Format(
      title: "IMA4 in MOV", program: "ffmpeg", file: "a.mov", arguments: ["-c:a", "adpcm_ima_qt"],
      reference: .ffmpeg(0), extra: 0...63, codec: "ima4"),
    Format(
      title: "IMA ADPCM in WAV", program: "sox", file: "a.wav", arguments: ["-e", "ima-adpcm"],
      reference: .encoder(0.0001), hasTags: false, codec: "ima-adpcm"),
    Format(
      title: "MS ADPCM in WAV", program: "sox", file: "a.wav", arguments: ["-e", "ms-adpcm"],
      reference: .encoder(0.0001), hasTags: false, codec: "ms-adpcm"),
    // FFmpeg states the samples of whole blocks.
    Format(
      title: "IMA ADPCM in WAV", program: "ffmpeg", file: "a.wav", arguments: ["-c:a", "adpcm_ima_wav"],
      reference: .ffmpeg(0.003), extra: 0...2048, codec: "ima-adpcm"),
    Format(
      title: "MS ADPCM in WAV", program: "ffmpeg", file: "a.wav", arguments: ["-c:a", "adpcm_ms"],
      reference: .ffmpeg(0.001), extra: 0...2048, codec: "ms-adpcm"),
    Format(title: "FLAC", program: "flac", file: "a.flac", arguments: ["--silent"], codec: "flac"),
    Format(
      title: "FLAC, 24 bit", program: "ffmpeg", file: "a.flac",
      arguments: ["-c:a", "flac", "-sample_fmt", "s32"],
      codec: "flac", bits: 24),
    Format(
      title: "FLAC in Ogg", program: "flac", file: "a.oga", arguments: ["--silent", "--ogg"], codec: "flac"),
    Format(
      title: "Vorbis", program: "oggenc", file: "a.ogg", arguments: ["-Q"], reference: .ffmpeg(1e-4),
      seekTolerance: 0, codec: "vorbis"),
    Format(
      title: "Vorbis", program: "ffmpeg", file: "a.ogg", arguments: ["-c:a", "libvorbis"],
      reference: .ffmpeg(1e-4),
      seekTolerance: 0, codec: "vorbis"),
    Format(
      title: "Opus", program: "opusenc", file: "a.opus", arguments: ["--quiet"], reference: .encoder(1e-4),
      seekTolerance: 0.002, rate: 48000, codec: "opus"),
    // FFmpeg lets the library limit samples above full scale, which changes those near them.
    Format(
      title: "Opus in WebM", program: "ffmpeg", file: "a.webm", arguments: ["-c:a", "libopus"],
      reference: .ffmpeg(0.05), rate: 48000, codec: "opus"),
  ]

  private struct Source: Hashable {
    let rate: Int
    let bits: Int
  }

  /// The encoder's input.
  private static let sources: [Source: [Float]] = Dictionary(
    uniqueKeysWithValues: [(44100, 8), (44100, 16), (44100, 24), (48000, 16)].map { rate, bits in
      (Source(rate: rate, bits: bits), music(frames * 2, channels: 2, rate: rate, bits: bits))
    })

  /// Writes the file. Returns its path and the source's samples, interleaved.
  func make(in folder: Folder) throws -> (path: String, source: [Float]) {
    let samples = Format.sources[Source(rate: rate, bits: bits), default: []]
    let source = folder.write(
      Wave.bytes(samples, channels: channels, rate: rate, as: bits > 16 ? .pcm24 : .pcm16), "source.wav")
    let path = folder[file]
    let tags = ["title": "Ün titre", "artist": "Some One", "album": "The Album"]
    switch program {
    case "lame":
      try run(
        "lame",
        arguments + ["--tt", tags["title"]!, "--ta", tags["artist"]!, "--tl", tags["album"]!, source, path])
    case "sox": try run("sox", [source] + arguments + [path])
    case "oggenc":
      try run(
        "oggenc",
        arguments + ["-t", tags["title"]!, "-a", tags["artist"]!, "-l", tags["album"]!, "-o", path, source])
    case "opusenc":
      try run(
        "opusenc",
        arguments + [
          "--title", tags["title"]!, "--artist", tags["artist"]!, "--album", tags["album"]!, source, path,
        ])
    case "flac":
      try run("flac", arguments + tags.map { "--tag=\($0)=\($1)" } + ["-o", path, source])
    default:
      try run(
        "ffmpeg",
        ["-v", "error", "-i", source] + tags.flatMap { ["-metadata", "\($0)=\($1)"] } + arguments + [path])
    }
    return (path, samples)
  }

  /// Gliding tones and noise in bursts, quantized to `bits`.
  static func music(_ count: Int, channels: Int, rate: Int, bits: Int) -> [Float] {
    let grid = Float(1 << (min(bits, 24) - 1))
    let noise = noise(count, seed: 9)
    return [Float](count: count) { index in
      let time = Double(index / channels) / Double(rate)
      let side = Double(index % channels)
      let tone =
        0.3 * sin(2 * .pi * (220 + 110 * side + 300 * time) * time) + 0.1 * sin(2 * .pi * 3000 * time)
      let burst = time.truncatingRemainder(dividingBy: 0.5) < 0.03 ? 0.4 : 0.02
      return (Float(tone + burst * Double(noise[index])) * grid).rounded() / grid
    }
  }
}

/// The decode of the program that encoded a file, interleaved.
func decodedByEncoder(_ format: Format, _ path: String, _ folder: Folder) throws -> [Float] {
  let raw = folder["reference.raw"]
  switch format.program {
  case "sox": try run("sox", [path, "-e", "float", "-b", "32", "-L", raw])
  case "opusenc":
    try run(
      "opusdec", ["--quiet", "--float", "--rate", "48000", "--no-dither", path, folder["reference.wav"]])
    try run("sox", [folder["reference.wav"], "-e", "float", "-b", "32", "-L", raw])
  default: Issue.record("no decoder of \(format.program)")
  }
  return try floats(raw)
}

/// FFmpeg's decode, interleaved.
func decodedByFFmpeg(_ path: String, _ folder: Folder, rate: Int, before: [String] = []) throws -> [Float] {
  let raw = folder["reference.raw"]
  try run(
    "ffmpeg",
    ["-v", "error", "-y"] + before + ["-i", path, "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le", raw])
  return try floats(raw)
}

private func floats(_ path: String) throws -> [Float] {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  return data.withUnsafeBytes { bytes in
    [Float](count: bytes.count / 4) {
      Float(bitPattern: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
    }
  }
}
