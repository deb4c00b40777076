import Engine
import Glibc
import Graphs
import Nodes
import TestSupport
import Testing

/// The diagnostics of invalid sound-banks, compared as whole texts.
@Suite struct SoundBankFaultTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    writeSound(folder.file("a.wav"), rate: 8000, channels: [steady(0.25, 8000)])
    writeSound(folder.file("long.wav"), rate: 1000, channels: [steady(0.25, 31_000)])
  }

  /// The diagnostics of a bank with these settings, without the folder's path.
  private func diagnostics(_ settings: String, wires: String = "bank -> out", node: String = "") throws
    -> String
  {
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

  @Test func `a file that is no sound, and a sound without a file, are reported`() throws {
    _ = try folder.write("words", to: "words.txt")
    let diagnostics = try diagnostics("sounds:\n  kick: words.txt\n  snare: { key: s }")
    #expect(
      diagnostics.hasPrefix("graph.yaml:6:13: error: 'words.txt' is not an audio file that can be decoded"))
    #expect(
      diagnostics.hasSuffix(
        """
        graph.yaml:7:14: error: the sound snare needs a `path`, such as `path: sounds/snare.flac` [no-path]
           7 |       snare: { key: s }
             |              ^^^^^^^^^^

        """))
  }

  @Test func `a sound that is too long is reported`() throws {
    #expect(
      try diagnostics("sounds: { a: a.wav, song: long.wav }") == """
        graph.yaml:5:31: error: the sound song lasts 31 s, and a sound of this bank may last 30 s: shorten it, raise `longest` (600 s at most), or play it by a file-source [sound-too-long]
           5 |     sounds: { a: a.wav, song: long.wav }
             |                               ^^^^^^^^

        """)
    #expect(try diagnostics("sounds: { song: long.wav }\nlongest: 31 s") == "")
    #expect(
      try diagnostics("sounds: { a: a.wav }\nlongest: 999 ms").contains(
        "lasts 1 s, and a sound of this bank may last 1 s"))
  }

  @Test func `sounds that exceed the memory limit are reported`() throws {
    // 8 channels of 350 s at 48 kHz are a little more than 512 MB.
    let count = 350 * 48_000
    let path = folder.file("big.wav")
    writeHeader(path, channels: 8, count: count)
    #expect(
      try diagnostics("sounds: { a: a.wav, big: big.wav }\nlongest: 10 min") == """
        graph.yaml:5:13: error: the sounds take 512 MB (big 512 MB, a 0 MB), and all sound-banks of a graph together have 512 MB: use fewer or shorter sounds, or play long ones by a file-source [sounds-too-large]
           5 |     sounds: { a: a.wav, big: big.wav }
             |             ^^^^^^^^^^^^^^^^^^^^^^^^^^

        """)
    #expect(try diagnostics("sounds: { a: a.wav, big: big.wav }\nlongest: 10 min\nchannels: 4") == "")
  }

  @Test func `more sounds than a bank can have are reported`() throws {
    let names = (1...257).map { "s\($0): a.wav" }.joined(separator: ", ")
    #expect(
      try diagnostics("sounds: { \(names) }").contains(
        "bank.sounds has more than 256 sounds [too-many-sounds]"))
    let fewer = (1...256).map { "s\($0): a.wav" }.joined(separator: ", ")
    #expect(try diagnostics("sounds: { \(fewer) }") == "")
  }

  @Test func `a file that grew after the check is refused when the plan is made`() throws {
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

/// Writes a WAV file of floats whose samples are a hole: zeros that take no disk space.
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
