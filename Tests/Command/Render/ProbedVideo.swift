import Foundation
import TestSounds
import TestSupport

/// A film as ffmpeg and ffprobe see it.
struct ProbedVideo {
  let path: String
  private let folder: TemporaryFolder
  private let streams: [[String: Any]]
  private let format: [String: Any]

  init(_ path: String) throws {
    self.path = path
    folder = try TemporaryFolder()
    let child = try Child(
      ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path])
    guard child.exitCode() == 0 else { throw Child.Failure(description: child.notes) }
    let said = try JSONSerialization.jsonObject(with: Data(child.results.utf8)) as? [String: Any]
    streams = said?["streams"] as? [[String: Any]] ?? []
    format = said?["format"] as? [String: Any] ?? [:]
  }

  /// What ffprobe says of the first video or audio stream, key by key; empty when there is none.
  func stream(_ kind: String) -> [String: String] {
    Self.texts(streams.first { $0["codec_type"] as? String == kind } ?? [:])
  }

  /// What ffprobe says of the whole.
  var whole: [String: String] { Self.texts(format) }

  /// Values as text; a tag's key begins with `TAG:`.
  private static func texts(_ values: [String: Any]) -> [String: String] {
    var texts = (values["tags"] as? [String: Any] ?? [:]).reduce(into: [:]) { texts, tag in
      texts["TAG:\(tag.key)"] = "\(tag.value)"
    }
    for (key, value) in values where key != "tags" { texts[key] = "\(value)" }
    return texts
  }

  /// The mean brightness of every picture, 0…255.
  func brightness(width: Int, height: Int) throws -> [Double] {
    let pixels = try decode(["-f", "rawvideo", "-pix_fmt", "gray"])
    let size = width * height
    return stride(from: 0, to: pixels.count / size * size, by: size).map { start in
      Double(pixels[start..<start + size].reduce(0) { $0 + Int($1) }) / Double(size)
    }
  }

  /// The pixels of picture number `number`, from 0: red, green, blue.
  func picture(_ number: Int) throws -> [UInt8] {
    [UInt8](
      try decode(["-vf", "select=eq(n\\,\(number))", "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24"]))
  }

  /// The samples, channel by channel within each.
  func samples() throws -> [Float] {
    try decode(["-vn", "-f", "f32le"]).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private func decode(_ options: [String]) throws -> Data {
    let out = folder.file("decoded")
    let child = try Child(["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", path] + options + [out])
    guard child.exitCode() == 0, child.notes.isEmpty else { throw Child.Failure(description: child.notes) }
    return FileManager.default.contents(atPath: out) ?? Data()
  }

  /// By how many samples `heard` is later than `played` at most `reach` either way: where they agree most.
  static func delay(_ heard: [Float], _ played: [Float], reach: Int) -> Int {
    var best = (agreement: -Double.infinity, delay: 0)
    let count = min(heard.count, played.count) - 2 * reach
    for delay in -reach...reach {
      var sum = 0.0
      for index in reach..<reach + count { sum += Double(heard[index + delay]) * Double(played[index]) }
      if sum > best.agreement { best = (sum, delay) }
    }
    return best.delay
  }
}

/// Graphs that are seen.
enum FilmGraphs {
  /// A light that is as large as the sound is loud.
  static func flash(
    fps: String = "60", size: String = "320x180", sound: String = "song.wav", out: Bool = true
  )
    -> String
  {
    """
    visgraph: 1
    fps: \(fps)
    stage: { size: \(size), background: black }
    nodes:
      song: { type: file-source, path: \(sound) }
    \(out ? "  out: { type: jack-output }" : "")
      meter: { type: meter }
      level: { type: meter-table }
      flash:
        type: emitter
        cells: { light: { birthRate: 1000, lifetime: 1 frame, scale: 0 } }
        drive:
          - { key: cells.light.scale, from: [0, 1], to: [0, 20], idle: 0 }
    wires: [song -> meter.in, meter.peak -> level, level -> flash\(out ? ", song -> out" : "")]

    """
  }

  /// Silence with one click of 200 samples.
  static func click(seconds: Double, at sample: Int, rate: Int = 48_000) -> [[Float]] {
    var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
    for index in 0..<200 { samples[sample + index] = index % 40 < 20 ? 0.9 : -0.9 }
    return [samples]
  }

  /// A sine.
  static func tone(_ frequency: Double, level: Double, count: Int) -> [Float] {
    let step = 2 * Double.pi * frequency / 48_000
    return [Float](count: count) { Float(level * sin(Double($0) * step)) }
  }
}
