import ArgumentParser
import Graphs
import Nodes
import Hosts

/// `visgraph render GRAPH -o OUT`.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract:
      "Runs a graph offline, as fast as it goes: the same levels to the bit as live, sending nothing.",
    discussion: """
      OUT's ending decides: .csv or .jsonl gives the levels of every frame, .osc every packet as a timed score.
      It ends when every source has played once, plus --tail, or after exactly --for.
      """)

  @OptionGroup var arguments: GraphArguments

  @Option(name: [.customShort("o"), .long], help: "Where to: a .csv, .jsonl or .osc file. May repeat.")
  var output: [String]

  @Option(name: .customLong("for"), help: ArgumentHelp("Exactly so long.", valueName: "seconds"))
  var length: Double?

  @Option(help: ArgumentHelp("How long it goes on after every source has played once.", valueName: "seconds"))
  var tail = 2.0

  @Option(help: ArgumentHelp("Plays a file in place of a jack-input. May repeat.", valueName: "id=audio"))
  var input: [String] = []

  @Option(
    help: ArgumentHelp("Samples a cycle, 1…8192; the result does not depend on it.", valueName: "samples"))
  var cycle = 256

  @Option(help: ArgumentHelp("Sample rate; that of the first file, else 48000.", valueName: "hz"))
  var rate: Int?

  @Flag(help: "Writes over files that exist.") var force = false

  func validate() throws {
    for path in output where LevelsFile.layout(of: path) == nil && !path.hasSuffix(".osc") {
      throw ValidationError("-o \(path): the name ends in .csv, .jsonl or .osc")
    }
    for text in input where !text.contains("=") || text.hasPrefix("=") || text.hasSuffix("=") {
      throw ValidationError("--input \(text): write ID=AUDIO")
    }
    if !(1...8192).contains(cycle) { throw ValidationError("--cycle takes 1…8192 samples") }
    if let length, !(length > 0 && length < 1e8) { throw ValidationError("--for takes seconds above 0") }
    if !(tail >= 0 && tail < 1e8) { throw ValidationError("--tail takes seconds from 0") }
    if let rate, !(1000...768_000).contains(rate) { throw ValidationError("--rate takes 1000…768000 Hz") }
  }

  func run() throws {
    let graph = try arguments.load()
    let files = Dictionary(
      input.map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      }, uniquingKeysWith: { $1 })
    for id in files.keys where !graph.nodes.contains(where: { $0.id == id && $0.type.name == "jack-input" }) {
      throw ValidationError("--input \(id)=…: the graph has no jack-input called \(id)")
    }
    let rendering = Rendering(
      graph: graph, outputs: output, length: length, tail: tail, inputFiles: files, cycle: cycle,
      rate: rate ?? graph.fileRate ?? 48_000, replacing: force)
    do {
      try rendering.run()
    } catch let fault as Rendering.Fault {
      printNote("visgraph: \(fault)")
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }
}
