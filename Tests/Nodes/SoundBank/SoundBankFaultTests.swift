import Engine
import Glibc
import Graphs
import Nodes
import TestSupport
import Testing

/// What is said of a sound-bank that cannot be. Every text is whole.
@Suite struct SoundBankFaultTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    writeSound(folder.file("a.wav"), rate: 8000, channels: [steady(0.25, 8000)])
    writeSound(folder.file("long.wav"), rate: 1000, channels: [steady(0.25, 31_000)])
  }

  /// What is said of a bank with these settings, the folder's name left out.
  private func said(_ settings: String, wires: String = "bank -> out", node: String = "") throws -> String {
    let path = folder.file("graph.yaml")
    let text = """
      visgraph: 1
      nodes:
        bank:
          type: sound-bank
      \(settings.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
        out: { type: jack-output }\(node.isEmpty ? "" : "\n  \(node)")
      wires: [\(wires)]
      """
    let checked = Checker(Catalog(types: everyNode)).check(
      SourceText(path: path, text: text))
    return DiagnosticText.text(checked).replacing("\(folder.path)/", with: "")
  }

  @Test func `a file that is no sound, and a sound without a file`() throws {
    _ = try folder.write("words", to: "words.txt")
    let said = try said("sounds:\n  kick: words.txt\n  snare: { key: s }")
    #expect(said.hasPrefix("graph.yaml:6:13: error: 'words.txt' is not an audio file that can be decoded"))
    #expect(
      said.hasSuffix(
        """
        graph.yaml:7:14: error: the sound snare needs a `path`, such as `path: sounds/snare.flac` [no-path]
           7 |       snare: { key: s }
             |              ^^^^^^^^^^

        """))
  }

  @Test func `a sound that is too long`() throws {
    #expect(
      try said("sounds: { a: a.wav, song: long.wav }") == """
        graph.yaml:5:31: error: the sound song lasts 31 s, and a sound of this bank may last 30 s: shorten it, raise `longest` (600 s at most), or play it by a file-source [sound-too-long]
           5 |     sounds: { a: a.wav, song: long.wav }
             |                               ^^^^^^^^

        """)
    #expect(try said("sounds: { song: long.wav }\nlongest: 31 s") == "")
    #expect(
      try said("sounds: { a: a.wav }\nlongest: 999 ms").contains(
        "lasts 1 s, and a sound of this bank may last 1 s"))
  }

  @Test func `sounds that take more memory than there is`() throws {
    // 8 channels of 350 s at 48 kHz are 512 MB and a little.
    let count = 350 * 48_000
    let path = folder.file("big.wav")
    writeHeader(path, channels: 8, count: count)
    #expect(
      try said("sounds: { a: a.wav, big: big.wav }\nlongest: 10 min") == """
        graph.yaml:5:13: error: the sounds take 512 MB (big 512 MB, a 0 MB), and all sound-banks of a graph together have 512 MB: use fewer or shorter sounds, or play long ones by a file-source [sounds-too-large]
           5 |     sounds: { a: a.wav, big: big.wav }
             |             ^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
    #expect(try said("sounds: { a: a.wav, big: big.wav }\nlongest: 10 min\nchannels: 4") == "")
  }

  @Test func `more sounds than a bank can have`() throws {
    let names = (1...257).map { "s\($0): a.wav" }.joined(separator: ", ")
    #expect(
      try said("sounds: { \(names) }").contains("bank.sounds has more than 256 sounds [too-many-sounds]"))
    let fewer = (1...256).map { "s\($0): a.wav" }.joined(separator: ", ")
    #expect(try said("sounds: { \(fewer) }") == "")
  }

  @Test func `what the check could not see is refused when the plan is made`() throws {
    let text = { (longest: String) in
      """
      nodes: { bank: { type: sound-bank, sounds: { a: a.wav }, longest: \(longest) }, out: { type: jack-output } }
      wires: [bank -> out]
      """
    }
    let graph = try GraphRig.graph(text("1 s"), folder: folder.path)
    writeSound(folder.file("a.wav"), rate: 8000, channels: [steady(0.25, 8001)])
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere)
    #expect {
      try PlanCompiler(graph, configuration, ports: PortNumbers()).compile()
    } throws: { error in
      (error as? Diagnostic).map { "\($0.message) [\($0.code)]" } == """
        bank: the sound a lasts too long, and a sound of this bank may last 1 s: shorten it, raise `longest` (600 s at \
        most), or play it by a file-source [sound-too-long]
        """
    }
  }
}

/// Writes a WAV file of floats with a hole for samples: zeros that take no disk.
private func writeHeader(_ path: String, channels: Int, count: Int) {
  writeSound(path, rate: 48_000, channels: Array(repeating: [0], count: channels))
  guard let file = fopen(path, "r+") else { return }
  let bytes = count * channels * 4
  for (place, value) in [(4, 36 + bytes), (40, bytes)] {
    fseek(file, place, SEEK_SET)
    withUnsafeBytes(of: UInt32(value).littleEndian) { _ = fwrite($0.baseAddress, 1, 4, file) }
  }
  fflush(file)
  ftruncate(fileno(file), off_t(44 + bytes))
  fclose(file)
}
