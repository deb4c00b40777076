import Foundation
import TestSounds
import TestSupport
import Testing

/// Films are decoded again: every frame is there, sound and pictures belong together.
@Suite(.serialized, .blocking) struct RenderVideoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func graph(_ text: String, _ sound: [[Float]], rate: Int = 48_000) throws -> String {
    try folder.write(Wave.bytes(sound, rate: rate), to: "song.wav")
    return try folder.write(text, to: "graph.yaml")
  }

  @Test(arguments: ["mp4", "webm"], ["60", "30000/1001", "24"])
  func `a film has every frame, its rate, size and length`(ending: String, fps: String) throws {
    let graph = try graph(FilmGraphs.flash(fps: fps), Sounds.lively(seconds: 1))
    let video = folder.file("film.\(ending)")
    let levels = folder.file("levels.csv")
    let ending = try Visgraph.run("render", graph, "--for", "1.5", "-o", video, "-o", levels)
    #expect(ending.code == 0 && ending.notes == "", "\(ending.notes)")
    let frames = LevelRows(levels).count
    let seen = try ProbedVideo(video)
    let pictures = seen.stream("video")
    #expect(pictures["nb_read_frames"] == "\(frames)")
    #expect(pictures["r_frame_rate"] == (fps.contains("/") ? fps : "\(fps)/1"))
    #expect(pictures["width"] == "320" && pictures["height"] == "180")
    #expect(pictures["pix_fmt"] == "yuv420p")
    #expect(pictures["color_space"] == "bt709" && pictures["color_range"] == "tv")
    #expect(Double(pictures["start_time"] ?? "") == 0)
    let length = LevelRows(levels).times.last ?? 0
    #expect(abs((Double(seen.whole["duration"] ?? "") ?? 0) - length) < 0.021)
    #expect(seen.stream("audio")["channels"] == "2")
  }

  @Test(arguments: ["mp4", "webm"], [44_100, 48_000])
  func `sound begins at its exact sample`(ending: String, rate: Int) throws {
    let sound = Sounds.lively(seconds: 1, rate: rate)
    let graph = try graph(FilmGraphs.flash(), sound, rate: rate)
    let video = folder.file("film.\(ending)")
    let ending = try Visgraph.run("render", graph, "--tail", "0", "-o", video)
    #expect(ending.code == 0, "\(ending.notes)")
    let seen = try ProbedVideo(video)
    // Opus is always 48000 samples a second.
    if video.hasSuffix("webm") && rate != 48_000 {
      #expect(seen.stream("audio")["sample_rate"] == "48000")
      return
    }
    #expect(seen.stream("audio")["sample_rate"] == "\(rate)")
    let samples = try seen.samples()
    for channel in 0..<2 {
      let heard = stride(from: channel, to: samples.count, by: 2).map { samples[$0] }
      #expect(ProbedVideo.delay(heard, sound[channel], reach: 60) == 0)
    }
  }

  @Test(arguments: ["mp4", "webm"])
  func `a click and its flash are in the same frame`(ending: String) throws {
    let graph = try graph(FilmGraphs.flash(), FilmGraphs.click(seconds: 1.5, at: 48_000))
    let video = folder.file("film.\(ending)")
    let ending = try Visgraph.run("render", graph, "--for", "1.2", "-o", video)
    #expect(ending.code == 0, "\(ending.notes)")
    let seen = try ProbedVideo(video)
    let brightness = try seen.brightness(width: 320, height: 180)
    #expect(brightness.count == 72)
    let flash = try #require(brightness.firstIndex { $0 > 50 })
    #expect(flash == 60)
    let click = try #require(try seen.samples().firstIndex { abs($0) > 0.45 })
    #expect((48_000..<48_010).contains(click))
    // Both begin at 0, so that frame and sample mean the same time. What precedes is never heard.
    #expect(Double(seen.stream("video")["start_time"] ?? "") == 0)
    #expect([0, -0.007].contains(Double(seen.stream("audio")["start_time"] ?? "")))
  }

  @Test func `sound ends with the last picture, and every picture is complete`() throws {
    let graph = try graph(FilmGraphs.flash(fps: "10"), Sounds.lively(seconds: 1))
    let video = folder.file("film.mp4")
    #expect(try Visgraph.run("render", graph, "--for", "0.97", "-o", video).code == 0)
    let seen = try ProbedVideo(video)
    #expect(seen.stream("video")["nb_read_frames"] == "9")
    #expect(seen.stream("video")["duration"] == "0.900000")
    #expect(seen.stream("audio")["duration"] == "0.900000")
  }

  @Test(arguments: ["mp4", "webm"], 1...8)
  func `up to eight channels stay separate`(ending: String, channels: Int) throws {
    // A tone of its own on each, low enough for the one that a surround layout keeps for deep tones.
    let sound = (0..<channels).map { FilmGraphs.tone(Double(60 + 10 * $0), level: 0.3, count: 24_000) }
    let graph = try graph(FilmGraphs.flash(), sound)
    let video = folder.file("film.\(ending)")
    let ending = try Visgraph.run("render", graph, "--tail", "0", "-o", video)
    #expect(ending.code == 0 && ending.notes == "", "\(ending.notes)")
    // Opus has five as six of which one is silent, and seven as eight.
    let isWider = video.hasSuffix("webm") && [5, 7].contains(channels)
    let width = channels + (isWider ? 1 : 0)
    let places = isWider && channels == 5 ? [0, 1, 2, 4, 5] : Array(0..<channels)
    let seen = try ProbedVideo(video)
    #expect(seen.stream("audio")["channels"] == "\(width)")
    let samples = try seen.samples()
    #expect(samples.count / width >= 24_000)
    for (channel, place) in places.enumerated() {
      var agreement = 0.0
      var energy = 0.0
      for index in 4800..<19_200 {
        agreement += Double(samples[index * width + place]) * Double(sound[channel][index])
        energy += Double(sound[channel][index]) * Double(sound[channel][index])
      }
      #expect(abs(agreement / energy - 1) < 0.05, "\(channel + 1)")
    }
  }

  @Test func `more than eight channels are mixed to two, and that is reported`() throws {
    let sound = (1...9).map { [Float](repeating: $0 == 9 ? 0.5 : 0, count: 24_000) }
    let graph = try graph(FilmGraphs.flash(), sound)
    let video = folder.file("film.mp4")
    let ending = try Visgraph.run("render", graph, "--tail", "0", "-o", video)
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(ending.notes.contains("the sound has 9 channels and a film keeps 8 apart"))
    let seen = try ProbedVideo(video)
    #expect(seen.stream("audio")["channels"] == "2")
    let samples = try seen.samples()
    #expect(abs(samples[24_000] - 0.5 / Float(5).squareRoot()) < 0.02 && abs(samples[24_001]) < 0.01)
  }

  @Test func `several outputs are added, and samples above full scale are clipped`() throws {
    let text = FilmGraphs.flash().replacing(
      "out: { type: jack-output }", with: "out: { type: jack-output }\n  more: { type: jack-output }"
    ).replacing("song -> out", with: "song -> out, song -> more")
    let sound = [
      FilmGraphs.tone(100, level: 0.25, count: 12_000) + FilmGraphs.tone(100, level: 0.9, count: 12_000)
    ]
    let video = folder.file("film.mp4")
    #expect(try Visgraph.run("render", try graph(text, sound), "--tail", "0", "-o", video).code == 0)
    let samples = try ProbedVideo(video).samples()
    #expect(abs((samples[2000..<10_000].max() ?? 0) - 0.5) < 0.02)
    #expect(abs((samples[14_000..<22_000].max() ?? 0) - 1) < 0.1)
  }

  @Test func `without an output there is no sound, and that is reported`() throws {
    let graph = try graph(FilmGraphs.flash(out: false), Sounds.lively(seconds: 0.5))
    let video = folder.file("film.mp4")
    let ending = try Visgraph.run("render", graph, "-o", video)
    #expect(ending.code == 0)
    #expect(ending.notes == "visgraph: this graph has no jack-output, so the film has no sound\n")
    let seen = try ProbedVideo(video)
    #expect(seen.stream("audio").isEmpty)
    #expect(seen.stream("video")["nb_read_frames"] == "150")
  }

  @Test func `levels are the same with and without a picture`() throws {
    let graph = try graph(FilmGraphs.flash(), Sounds.lively(seconds: 1))
    let (alone, beside) = (folder.file("alone.csv"), folder.file("beside.csv"))
    #expect(try Visgraph.run("render", graph, "-o", alone).code == 0)
    let ending = try Visgraph.run(
      "render", graph, "-o", beside, "-o", folder.file("a.mp4"), "-o", folder.file("b.webm"), "-o",
      folder.file("c.png"), "-o", folder.file("d-%d.png"), "-o", folder.file("e.osc"))
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(firstDifference(bytes(of: alone), bytes(of: beside)) == nil)
    #expect(FileManager.default.fileExists(atPath: folder.file("d-180.png")))
  }

  @Test func `a stage with odd sides gets even ones in a film, and that is reported`() throws {
    let graph = try graph(FilmGraphs.flash(size: "321x181"), Sounds.lively(seconds: 0.2))
    let video = folder.file("film.mp4")
    let ending = try Visgraph.run("render", graph, "--tail", "0", "-o", video)
    #expect(ending.code == 0)
    #expect(
      ending.notes.contains("the stage is 321x181 and the sides of a film are even: it becomes 322x182"))
    #expect(try ProbedVideo(video).stream("video")["width"] == "322")
    let reported = folder.file("told.mp4")
    #expect(try Visgraph.run("render", graph, "--tail", "0", "-o", reported, "--size", "640x362").code == 0)
    #expect(try ProbedVideo(reported).stream("video")["height"] == "362")
  }

  @Test func `transparent pixels are on black in a film, and stay transparent in pictures`() throws {
    let text = FilmGraphs.flash().replacing("background: black", with: "background: '#ff000080'")
    let graph = try graph(text, [[Float](repeating: 0, count: 4800)])
    let video = folder.file("film.mp4")
    let ending = try Visgraph.run(
      "render", graph, "--tail", "0", "-o", video, "-o", folder.file("f-%d.png"), "-o", folder.file("a.png"))
    #expect(ending.code == 0, "\(ending.notes)")
    let seen = try ProbedVideo(video).picture(2)
    #expect(abs(Int(seen[0]) - 128) < 4 && seen[1] < 4 && seen[2] < 4, "\(seen.prefix(3))")
    for name in ["f-1.png", "a.png"] {
      #expect(try ProbedVideo(folder.file(name)).stream("video")["pix_fmt"] == "rgba")
      #expect(try ProbedVideo(folder.file(name)).picture(0).prefix(3) == [255, 0, 0])
    }
  }
}
