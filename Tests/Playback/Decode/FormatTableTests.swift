import Foundation
import Testing

@testable import Playback

#if FFmpeg

  /// The results for a file format.
  struct FormatRow: Sendable {
    let format: Format
    var reader = ""
    var frames = 0
    var stated: Int?
    var difference: Float = 0
    var seekDifference: Float = 0
    var seeks = 0
    var tags = false

    var text: String {
      let more = frames - Format.frames
      let length = more == 0 ? "yes" : "\(more > 0 ? "+" : "")\(more), as its container has it"
      let seek = seekDifference == 0 ? "yes, bit by bit" : "within \(String(format: "%.1g", seekDifference))"
      return "| \(format.title) | \(format.program) | \(reader) | yes | \(length) | \(seek) | "
        + "\(format.hasTags ? tags ? "yes" : "NO" : "none in it") | \(String(format: "%.1g", difference)) |"
    }
  }

  @Suite struct FormatTableTests {
    @Test func `every format opens, has its exact length, seeks to the sample, and has its tags`() throws {
      var rows: [FormatRow] = []
      for format in Format.all { rows.append(try look(at: format)) }
      guard let path = ProcessInfo.processInfo.environment["FORMAT_TABLE"] else { return }
      let head = """
        | Format | Encoded by | Read by | Opens | Exact length | Exact seek | Tags | Largest difference from the reference |
        |---|---|---|---|---|---|---|---|

        """
      try (head + rows.map(\.text).joined(separator: "\n") + "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
    }

    private func look(at format: Format) throws -> FormatRow {
      let folder = Folder()
      let (path, source) = try format.make(in: folder)
      let file: any AudioReader
      do { file = try openAudio(path) } catch {
        Issue.record("\(format.title): \(error.message)")
        return FormatRow(format: format)
      }
      var row = FormatRow(format: format, reader: file is AudioFile ? "libsndfile" : "FFmpeg")
      row.stated = file.format.frames.map(Int.init)
      let straight = all(of: file, pieces: [1000, 333])
      row.frames = straight[0].count
      let name = Comment(rawValue: "\(format.title) by \(format.program): \(file.format)")
      #expect(format.extra.contains(row.frames - Format.frames), name)
      #expect(file.format.frames == nil || !file.format.framesAreExact || row.stated == row.frames, name)
      #expect(file.fault == nil && file.breaks.count == 0, name)
      #expect(file.format.channels == format.channels && file.format.rate == format.rate, name)
      #expect(file.format.codec == format.codec, name)
      #expect(file.format.channelNames == ["Left", "Right"], name)
      #expect((file.format.bitRate ?? 0) > 10_000, name)
      row.difference = try difference(straight, format, path, source, folder)
      let allowed: Float =
        switch format.reference {
        case .source: 0
        case .ffmpeg(let tolerance), .encoder(let tolerance): tolerance
        }
      #expect(row.difference <= allowed, name)
      (row.seeks, row.seekDifference) = try seeks(file, straight)
      #expect(row.seekDifference <= format.seekTolerance, name)
      row.tags =
        file.tags.title == "Ün titre" && file.tags.artist == "Some One" && file.tags.album == "The Album"
      #expect(row.tags || !format.hasTags, "\(format.title) by \(format.program): \(file.tags)")
      return row
    }

    private func difference(
      _ straight: [[Float]], _ format: Format, _ path: String, _ source: [Float], _ folder: Folder
    ) throws -> Float {
      let reference: [Float]
      switch format.reference {
      case .source where format.bits > 8: reference = source
      case .encoder: reference = try decodedByEncoder(format, path, folder)
      default:
        // The library of Opus itself, because FFmpeg's own decoder differs a little.
        let before = format.codec == "opus" ? ["-c:a", "libopus"] : []
        reference = try decodedByFFmpeg(path, folder, rate: format.rate, before: before)
      }
      return difference(straight, to: reference)
    }

    private func difference(_ straight: [[Float]], to reference: [Float]) -> Float {
      let channels = straight.count
      var largest: Float = 0
      for channel in 0..<channels {
        let count = min(straight[channel].count, reference.count / channels)
        for index in 0..<count {
          // Some programs clip samples that a lossy codec has raised above full scale.
          let ours = min(1, max(-1, straight[channel][index]))
          largest = max(largest, abs(ours - min(1, max(-1, reference[index * channels + channel]))))
        }
      }
      return largest
    }

    /// The largest difference between samples after a seek and those of a straight decode.
    private func seeks(_ file: any AudioReader, _ straight: [[Float]]) throws -> (Int, Float) {
      let count = straight[0].count
      var state: UInt64 = 5
      var places = [0, 1, count - 1, count, count / 2, count - 700, 0, 4096, 575, 1024, 1105]
      for _ in 0..<60 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        places.append(Int(state >> 33) % count)
      }
      var largest: Float = 0
      for place in places {
        try file.seek(to: Int64(place))
        #expect(file.position == Int64(place))
        let read = all(of: file, pieces: [700], limit: 700)
        #expect(
          read[0].count == min(700, count - place), "at \(place) of \(count): \(file.format.description)")
        for channel in 0..<straight.count {
          for index in read[channel].indices where place + index < count {
            largest = max(largest, abs(read[channel][index] - straight[channel][place + index]))
          }
        }
      }
      return (places.count, largest)
    }
  }
#endif
