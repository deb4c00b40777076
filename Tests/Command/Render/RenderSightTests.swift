import Foundation
import TestSupport
import Testing

/// Films that are transparent, films in other codecs, and why nothing is to be seen.
@Suite(.serialized, .blocking) struct RenderSightTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func graph(
    _ emitter: String, background: String = "transparent", position: String = "position: [160, 90]"
  ) throws -> String {
    try folder.write(
      """
      visgraph: 1
      stage: { size: 320x180, background: \(background) }
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        dot: { type: emitter, \(position), \(emitter) }
      wires: [tone -> meter -> level -> dot]

      """, to: "graph.yaml")
  }

  /// About 38 of 255 in the middle, with `light` below.
  private let light =
    "cells: { light: { birthRate: 1000, lifetime: 1 frame, scale: 3, color: [1, 0.5, 0, 0.01] } }"
  private let silent = "visgraph: this graph has no jack-output, so the film has no sound\n"

  /// The pixels of the first picture with their alpha, as ffmpeg decodes them.
  private func pixels(_ video: String, _ decoder: [String] = []) throws -> [UInt8] {
    let out = folder.file("decoded")
    let child = try Child(
      ["ffmpeg", "-v", "error", "-nostdin", "-y"] + decoder + [
        "-i", video, "-frames:v", "1", "-f", "rawvideo",
      ]
        + ["-pix_fmt", "rgba", out])
    #expect(child.exitCode() == 0 && child.notes.isEmpty, "\(child.notes)")
    return [UInt8](FileManager.default.contents(atPath: out) ?? Data())
  }

  @Test func `webm and mov have the alpha of a transparent stage, and mp4 reports that it cannot`() throws {
    let graph = try graph(light)
    let (webm, mov, mp4, png) = ("a.webm", "a.mov", "a.mp4", "a.png")
    let ending = try Visgraph.run(
      "render", graph, "--for", "0.2", "--at", "0", "-o", folder.file(webm), "-o", folder.file(mov), "-o",
      folder.file(mp4), "-o", folder.file(png))
    #expect(ending.code == 0)
    #expect(
      ending.notes == silent
        + "visgraph: \(folder.file(mp4)): the stage is transparent, and h264 in a .mp4 cannot carry that: it is shown on "
        + "black; .webm (vp9), .mov (prores) and pictures (.png) carry it\n")
    let exact = try pixels(folder.file(png))
    #expect(exact[(90 * 320 + 160) * 4 + 3] == 38 && exact[3] == 0)
    // Only libvpx's own decoder knows the alpha of a .webm.
    for seen in [try pixels(folder.file(webm), ["-c:v", "libvpx-vp9"]), try pixels(folder.file(mov))] {
      #expect(seen.count == exact.count)
      let farthest = stride(from: 3, to: exact.count, by: 4).map { abs(Int(seen[$0]) - Int(exact[$0])) }.max()
      #expect((farthest ?? 255) <= 3)
      let middle = (90 * 320 + 160) * 4
      for channel in 0..<3 { #expect(abs(Int(seen[middle + channel]) - Int(exact[middle + channel])) <= 4) }
    }
    #expect(try ProbedVideo(folder.file(webm)).stream("video")["TAG:alpha_mode"] == "1")
    let edit = try ProbedVideo(folder.file(mov)).stream("video")
    #expect(
      edit["codec_name"] == "prores" && edit["profile"] == "4444"
        && edit["pix_fmt"]?.hasPrefix("yuva444p") == true)
    #expect(edit["color_space"] == "bt709")
    let plain = try pixels(folder.file(mp4))
    #expect(plain[(90 * 320 + 160) * 4 + 3] == 255 && abs(Int(plain[(90 * 320 + 160) * 4]) - 38) <= 4)
  }

  @Test func `an opaque stage makes films without alpha`() throws {
    let graph = try graph(light, background: "black")
    #expect(try Visgraph.run("render", graph, "--for", "0.2", "-o", folder.file("a.webm")).notes == silent)
    #expect(try ProbedVideo(folder.file("a.webm")).stream("video")["TAG:alpha_mode"] == nil)
  }

  @Test func `the codec is the chosen one, and a higher quality makes a larger file`() throws {
    let graph = try graph(light, background: "black")
    var sizes: [Int] = []
    for quality in ["low", "normal", "high", "best"] {
      let video = folder.file("\(quality).mp4")
      let ending = try Visgraph.run(
        "render", graph, "--for", "0.5", "-o", video, "--codec", "hevc", "--quality", quality)
      #expect(ending.code == 0, "\(ending.notes)")
      let stream = try ProbedVideo(video).stream("video")
      #expect(
        stream["codec_name"] == "hevc" && stream["codec_tag_string"] == "hvc1"
          && stream["nb_read_frames"] == "30")
      sizes.append(bytes(of: video).count)
    }
    #expect(sizes == sizes.sorted(), "\(sizes)")
  }

  @Test func `a codec that the format does not support is refused with the supported ones`() throws {
    let graph = try graph(light)
    let ending = try Visgraph.run("render", graph, "-o", folder.file("a.mp4"), "--codec", "vp9")
    #expect(
      ending.code == 64 && ending.notes.contains("a .mp4 (\(folder.file("a.mp4"))) holds h264, hevc, av1"))
    let levels = try Visgraph.run("render", graph, "-o", folder.file("a.csv"), "--quality", "best")
    #expect(levels.code == 64 && levels.notes.contains("--codec and --quality are for films"))
  }

  @Test(arguments: [
    ("cells: {}", "dot: it has no cells"),
    ("birthRate: 0, cells: { light: { birthRate: 9 } }", "dot: nothing is born, as its birthRate is 0"),
    (
      "cells: { light: { birthRate: 0 }, rain: { birthRate: 0 } }",
      "dot: nothing is born, as the birthRate of light, rain is 0"
    ),
    (
      "cells: { light: { birthRate: 0.1 } }",
      "dot: nothing is born, as the birthRate of light is too low for so short a time"
    ),
    (
      "cells: { light: { birthRate: 60, lifetime: 0 } }",
      "dot: what is born lives too short to be seen (lifetime)"
    ),
    (
      "cells: { light: { birthRate: 60, lifetime: 1, color: [1, 1, 1, 0] } }",
      "dot: all its particles are transparent, have no size or no contents (color.alpha, alphaSpeed, scale, contents)"
    ),
    (
      "cells: { light: { birthRate: 60, lifetime: 1, color: [0, 0, 0, 1] } }",
      "dot: all its particles are black or all but transparent (color, alphaSpeed)"
    ),
    (
      "position: [5000, 90], cells: { light: { birthRate: 60, lifetime: 1 } }",
      "dot: all its particles are outside the stage of 320x180, such as one at [5000, 90] (position, velocity)"
    ),
  ])
  func `an empty picture is reported with the reason`(emitter: String, reason: String) throws {
    let graph = try graph(emitter, background: "black", position: "shape: point")
    let ending = try Visgraph.run("render", graph, "--for", "0.5", "--at", "0.4", "-o", folder.file("a.png"))
    #expect(
      ending.code == 0 && ending.notes == "visgraph: nothing is to be seen: \(reason)\n", "\(ending.notes)")
  }

  @Test(arguments: ["a.mp4", "a.webm", "a.mov"])
  func `an empty film is reported with the reason, and so is one without an emitter`(film: String)
    throws
  {
    let path = folder.file(film)
    let outside = try graph(
      "position: [5000, 90], cells: { light: { birthRate: 60, lifetime: 1 } }", background: "black",
      position: "shape: point")
    let ending = try Visgraph.run("render", outside, "--for", "0.5", "-o", path)
    #expect(
      ending.code == 0
        && ending.notes == silent
          + "visgraph: nothing is to be seen: dot: all its particles are outside the stage of 320x180, such as one at "
          + "[5000, 90] (position, velocity)\n",
      "\(ending.notes)")
    let empty = try folder.write(
      "visgraph: 1\nnodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]\n",
      to: "graph.yaml")
    let notes = try Visgraph.run("render", empty, "--for", "0.2", "-o", path, "--force").notes
    #expect(
      notes == silent
        + "visgraph: nothing is to be seen: the graph has no emitter, and nothing else draws (visgraph nodes emitter)\n",
      "\(notes)")
    // And one in which something is says nothing of it.
    let seen = try graph(light, background: "black")
    #expect(try Visgraph.run("render", seen, "--for", "0.2", "-o", path, "--force").notes == silent)
  }

  @Test func `a graph without an emitter is reported to draw nothing`() throws {
    let graph = try folder.write(
      "visgraph: 1\nnodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]\n",
      to: "graph.yaml")
    let ending = try Visgraph.run("render", graph, "--for", "0.2", "-o", folder.file("p-%d.png"))
    #expect(
      ending.notes
        == "visgraph: nothing is to be seen: the graph has no emitter, and nothing else draws (visgraph nodes emitter)\n"
    )
  }

  @Test func `a run with sound and an empty picture reports the reason once`() throws {
    let graph = try graph(
      "position: [5000, 90], cells: { light: { birthRate: 60, lifetime: 1 } }", position: "shape: point")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "6")
    #expect(ending.code == 0)
    let lines = ending.notes.split(separator: "\n").filter { $0.contains("nothing is to be seen") }
    #expect(
      lines == [
        "visgraph: nothing is to be seen of dot: all its particles are outside the stage of 320x180, such as one at "
          + "[5000, 90] (position, velocity)"
      ], "\(ending.notes)")
  }
}
