import Foundation
import Graphs
import Particles
import System
import TestSupport
import Testing

@testable import Viewer

/// Records as the program writes them and as pages read them, and the other way round, by the generated scripts.
@Suite(.blocking) struct RecordScriptTests {
  /// A record of random values: its bytes, and its fields as JSON, by which the page names them.
  private struct Example {
    let name: String
    let bytes: [UInt8]
    let fields: [(String, String)]
    var json: String { "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}" }
  }

  /// A random value of any magnitude that JSON keeps to the bit.
  private static func double(_ random: inout RandomStream) -> Double {
    Double(Int64.random(in: -(1 << 52)...(1 << 52), using: &random))
      / Double(1 << Int.random(in: 0...40, using: &random))
  }

  private static func text(_ random: inout RandomStream) -> String {
    String(
      (0..<Int.random(in: 0...20, using: &random)).map { _ in
        ["a", "é", "歌", "⭐"].randomElement(using: &random) ?? "a"
      })
  }

  private static func code(_ walk: (inout ByteWriter) -> Void, _ more: [UInt8] = []) -> [UInt8] {
    var writer = ByteWriter()
    walk(&writer)
    return writer.bytes + more
  }

  private static func word<T: FixedWidthInteger>(_ random: inout RandomStream) -> T {
    T.random(in: .min ... .max, using: &random)
  }

  private static func plain(_ number: Double) -> String { "\(Json.number(number).line)" }
  private static func plain(_ text: String) -> String { Json.string(text).line }

  private static func head(_ random: inout RandomStream) -> Example {
    var head = RecordHead()
    (head.kind, head.version, head.emitter, head.count) = (
      word(&random), word(&random), word(&random), word(&random)
    )
    return Example(
      name: "Head", bytes: code { head.code(&$0) },
      fields: [
        ("kind", "\(head.kind)"), ("version", "\(head.version)"), ("emitter", "\(head.emitter)"),
        ("count", "\(head.count)"),
      ])
  }

  private static func stage(_ random: inout RandomStream) -> Example {
    var stage = StageDescription()
    (stage.build, stage.epoch, stage.clips) = (word(&random), word(&random), Bool.random(using: &random))
    stage.size = Size(width: double(&random), height: double(&random))
    stage.background = Color(
      red: double(&random), green: double(&random), blue: double(&random), alpha: double(&random))
    (stage.picture, stage.frames, stage.seconds, stage.delay) = (
      text(&random), word(&random), word(&random), double(&random)
    )
    stage.emitters = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      .init(number: word(&random), id: text(&random))
    }
    let emitters = stage.emitters.map { "{\"number\":\($0.number),\"id\":\(plain($0.id))}" }
    return Example(
      name: "Stage", bytes: code { stage.code(&$0) },
      fields: [
        ("build", "\"\(stage.build)\""), ("epoch", "\(stage.epoch)"), ("width", plain(stage.size.width)),
        ("height", plain(stage.size.height)), ("red", plain(stage.background.red)),
        ("green", plain(stage.background.green)),
        ("blue", plain(stage.background.blue)), ("alpha", plain(stage.background.alpha)),
        ("clips", "\(stage.clips)"),
        ("picture", plain(stage.picture)), ("frames", "\(stage.frames)"), ("seconds", "\(stage.seconds)"),
        ("delay", plain(stage.delay)), ("emitters", "[\(emitters.joined(separator: ","))]"),
      ])
  }

  private static func state(_ random: inout RandomStream) -> Example {
    var head = StateHead()
    (head.isNew, head.node, head.seconds) = (Bool.random(using: &random), text(&random), double(&random))
    (head.frame, head.room, head.channels) = (word(&random), word(&random), word(&random))
    return Example(
      name: "State", bytes: code { head.code(&$0) },
      fields: [
        ("isNew", "\(head.isNew)"), ("node", plain(head.node)), ("seconds", plain(head.seconds)),
        ("frame", "\"\(head.frame)\""), ("room", "\(head.room)"), ("channels", "\(head.channels)"),
      ])
  }

  private static func frame(_ random: inout RandomStream) -> Example {
    var head = FrameHead()
    (head.number, head.microseconds, head.merged) = (word(&random), word(&random), word(&random))
    return Example(
      name: "Frame", bytes: code { head.code(&$0) },
      fields: [
        ("number", "\(head.number)"), ("microseconds", "\(head.microseconds)"), ("merged", "\(head.merged)"),
      ])
  }

  private static func places(_ random: inout RandomStream) -> Example {
    let places = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      NumberPlace(channel: word(&random), place: word(&random))
    }
    var list = NumberPlaces(places)
    let texts = places.map { "{\"channel\":\($0.channel),\"place\":\($0.place)}" }
    return Example(
      name: "NumberPlaces", bytes: code { list.code(&$0) },
      fields: [("places", "[\(texts.joined(separator: ","))]")])
  }

  private static func changes(_ random: inout RandomStream) -> Example {
    let changes = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      NumberChanges.Change(NumberPlace(channel: word(&random), place: word(&random)), double(&random))
    }
    var list = NumberChanges(changes)
    let texts = changes.map {
      "{\"channel\":\($0.place.channel),\"place\":\($0.place.place),\"value\":\(plain($0.value))}"
    }
    return Example(
      name: "NumberChanges", bytes: code { list.code(&$0) },
      fields: [("changes", "[\(texts.joined(separator: ","))]")])
  }

  private static func brightness(_ random: inout RandomStream) -> Example {
    var body = FrameBrightness()
    (body.number, body.microseconds) = (word(&random), word(&random))
    body.factor = Float.random(in: 0...1, using: &random)
    return Example(
      name: "Brightness", bytes: code { body.code(&$0) },
      fields: [
        ("number", "\(body.number)"), ("microseconds", "\(body.microseconds)"),
        ("factor", plain(Double(body.factor))),
      ])
  }

  private static func samples(_ random: inout RandomStream) -> Example {
    var head = SamplesHead(
      rate: word(&random), first: Int64.random(in: -(1 << 52)...(1 << 52), using: &random))
    let samples = (0..<Int.random(in: 0...9, using: &random)).map { _ in
      Float.random(in: -2...2, using: &random)
    }
    return Example(
      name: "Samples", bytes: code({ head.code(&$0) }, samples.withUnsafeBytes { Array($0) }),
      fields: [
        ("rate", "\(head.rate)"), ("first", "\(head.first)"),
        ("samples", "[\(samples.map { plain(Double($0)) }.joined(separator: ","))]"),
      ])
  }

  private static func ledPlaces(_ random: inout RandomStream) -> Example {
    var head = LedPlacesHead(count: word(&random), step: word(&random))
    (head.width, head.height) = (
      Float.random(in: 0...1, using: &random), Float.random(in: 0...1, using: &random)
    )
    let places: [UInt16] = (0..<2 * Int.random(in: 0...5, using: &random)).map { _ in word(&random) }
    return Example(
      name: "LedPlaces", bytes: code({ head.code(&$0) }, places.withUnsafeBytes { Array($0) }),
      fields: [
        ("count", "\(head.count)"), ("step", "\(head.step)"), ("width", plain(Double(head.width))),
        ("height", plain(Double(head.height))),
        ("places", "[\(places.map { "\($0)" }.joined(separator: ","))]"),
      ])
  }

  private static func faders(_ random: inout RandomStream) -> Example {
    var faders = Faders(master: Float.random(in: 0...1, using: &random), blackout: word(&random))
    return Example(
      name: "Faders", bytes: code { faders.code(&$0) },
      fields: [("master", plain(Double(faders.master))), ("blackout", "\(faders.blackout)")])
  }

  /// As it lies in the memory of the module.
  private static func batch(_ random: inout RandomStream) -> Example {
    let batch = SpriteBatch(
      emitter: word(&random), channel: word(&random), mode: word(&random), first: word(&random),
      count: word(&random),
      material: word(&random), materials: word(&random))
    return Example(
      name: "Batch", bytes: withUnsafeBytes(of: batch) { Array($0) },
      fields: [
        ("emitter", "\(batch.emitter)"), ("channel", "\(batch.channel)"), ("mode", "\(batch.mode)"),
        ("first", "\(batch.first)"),
        ("count", "\(batch.count)"), ("material", "\(batch.material)"), ("materials", "\(batch.materials)"),
      ])
  }

  private static func material(_ random: inout RandomStream) -> Example {
    let path = text(&random)
    let contents: Contents = [.soft, .none, .file(path)].randomElement(using: &random) ?? .soft
    var material = SpriteMaterial(
      contents: contents,
      rect: UnitRect(x: double(&random), y: double(&random), width: double(&random), height: double(&random)),
      contentsScale: double(&random),
      minification: ContentsFilter.allCases.randomElement(using: &random) ?? .linear,
      magnification: ContentsFilter.allCases.randomElement(using: &random) ?? .linear,
      minificationBias: double(&random))
    func place<T: CaseIterable & Equatable>(_ one: T) -> String where T.AllCases == [T] {
      "\(T.allCases.firstIndex(of: one) ?? -1)"
    }
    return Example(
      name: "Material", bytes: code { material.code(&$0) },
      fields: [
        ("contents", place(contents.kind)), ("picture", contents == .file(path) ? plain(path) : "\"\""),
        ("x", plain(material.rect.x)), ("y", plain(material.rect.y)), ("width", plain(material.rect.width)),
        ("height", plain(material.rect.height)), ("scale", plain(material.contentsScale)),
        ("bias", plain(material.minificationBias)), ("minification", place(material.minification)),
        ("magnification", place(material.magnification)),
      ])
  }

  @Test func `pages read random records as the program wrote them, and the playground writes the same bytes`()
    throws
  {
    let kinds = [
      Self.head, Self.stage, Self.state, Self.frame, Self.places, Self.changes, Self.brightness, Self.samples,
      Self.ledPlaces,
      Self.faders, Self.batch,
      Self.material,
    ]
    var random = RandomStream(seed: 37)
    let examples = (0..<500).map { kinds[$0 % kinds.count](&random) }
    let folder = try TemporaryFolder()
    let path = folder.file("records")
    let lines = examples.map {
      "\($0.name) \($0.bytes.map { String(hexadecimal: $0, digits: 2) }.joined()) \($0.json)"
    }
    try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
    let script = projectFolder.appending(path: "Tests/Pages/records.js").path
    let child = try Child(["node", "--experimental-default-type=module", "--no-warnings", script, path])
    #expect(child.exitCode(within: 60) == 0, "\(child.notes)")
    #expect(child.results == "500 records\n")
  }

  @Test func `the head of a record has the bytes by which the program skips it`() {
    var head = RecordHead()
    #expect(Self.code { head.code(&$0) }.count == StageRecord.headSize)
    #expect(RecordScript.readers.contains("head: \(StageRecord.headSize),"))
    #expect(
      MemoryLayout<SpriteBatch>.stride
        == Self.code {
          var batch = SpriteBatch(); batch.code(&$0)
        }.count)
  }
}
