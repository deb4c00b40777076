import ArgumentParser
import Graphs
import Tables

/// `visgraph measure FILES… -o levels.parquet`.
struct MeasureCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract:
      "Measures audio files into a table, a row each: loudness, true peak, tempo, bands, or what a graph measures.",
    discussion: """
      OUT's ending decides, else --format:
        \(TableFormat.allCases.map { format in
          "\(format.endings.map { ".\($0)" }.joined(separator: " ")): \(format.help)"
        }.joined(separator: "\n  "))
      DuckDB, pandas, Polars and Spark read a .parquet as it is. Units are in the names of the columns. A file that cannot be \
      measured, or not to its end, has a row with its fault in error_code and error.

      Every row is kept in OUT.rows as soon as it is made. Whatever ends the run, the same command goes on from there, and \
      later it measures only what is new or has changed; the table is written when all rows are there. Without OUT.rows all \
      is measured again.

      On several machines each measures a part into a table of its own, which are read as one:
        visgraph measure music --part 1/2 -o levels-1.parquet
        duckdb -c "SELECT path, loudness_lufs FROM 'levels-*.parquet' WHERE true_peak_dbtp > -1"
      """)

  @Argument(
    help: "Audio files, folders with all that lies in them, playlists (M3U, PLS, XSPF, CUE sheets).",
    completion: .file()) var audio: [String] = []

  @Option(
    help: ArgumentHelp(
      "A list of files, folders or playlists, one a line, or with zeros between them (find -print0); - is standard input. May repeat.",
      valueName: "list"), completion: .file())
  var files: [String] = []

  @Option(name: [.customShort("o"), .long], help: "The file of the table.", completion: .file())
  var output: String

  @Option(
    help: "The format of the table: \(TableFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: TableFormat?

  @Option(
    help: ArgumentHelp(
      "Measures with this graph: its JACK inputs hear each file, and each of its levels has three columns, the mean, the "
        + "highest and the last.", valueName: "file.yaml"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var graph: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Overrides a value or a setting of that graph. May repeat.",
      valueName: "name=value | id.setting=value"))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      "Measures the k-th of n parts of the files: the part of a file follows from its path as it is named.",
      valueName: "k/n"))
  var part: String?

  @Option(
    help: ArgumentHelp(
      "How many files are measured at the same time; by default as many as there are processors.",
      valueName: "n"))
  var jobs: Int?

  @Flag(help: "Measures all files again, and writes over what is there.") var force = false

  private static let mostJobs = 1000

  func validate() throws {
    if audio.isEmpty, files.isEmpty {
      throw ValidationError("name audio files, folders or playlists, or a list of them with --files")
    }
    if format == nil, TableFormat(endingOf: output) == nil {
      let endings = TableFormat.allCases.flatMap(\.endings).map { ".\($0)" }.joined(separator: " ")
      throw ValidationError(
        "-o \(output): its ending says what it is, one of \(endings); or say it with --format")
    }
    if let part, PartArgument(part) == nil {
      throw ValidationError(
        "--part \(part): write K/N, the number of the part and how many there are, such as 1/4")
    }
    if let jobs, jobs < 1 || jobs > Self.mostJobs {
      throw ValidationError("--jobs takes 1…\(Self.mostJobs)")
    }
    if graph == nil, !set.isEmpty { throw ValidationError("--set is for --graph") }
    for text in set where Override(text) == nil {
      throw ValidationError("--set \(text): write NAME=VALUE or ID.SETTING=VALUE")
    }
  }

  func run() throws {
    do {
      var paths = audio
      for list in files { paths += try MeasureList.paths(in: list) }
      let list = MeasureList(paths, part: part.flatMap { PartArgument($0) })
      let measure = FileMeasure(graph: try measureGraph())
      let format = format ?? TableFormat(endingOf: output) ?? .csv
      if let most = format.mostColumns, measure.columns.count > most {
        throw RunError(
          description: "\(format.help) takes \(most) columns at most, and the graph measures "
            + "\(measure.columns.count); name another format with --format", isOfGraph: true)
      }
      let summary = try MeasureJob(
        measure: measure, items: list.items, output: output,
        format: format, jobs: jobs ?? MeasureJob.processors,
        restarts: force
      ).run()
      report(summary, columns: measure.columns.count)
    } catch let fault as RunError {
      printNote("visgraph: \(fault)", .fault)
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }

  /// The graph that measures: the built-in one, or that of `--graph`.
  private func measureGraph() throws -> MeasureGraph {
    guard let graph else { return MeasureGraph() }
    var arguments = GraphArguments()
    (arguments.graph, arguments.set) = (graph, set)
    let (checked, source) = try arguments.loadWithSource()
    do {
      return try MeasureGraph(
        checked, text: ([String(decoding: source.bytes, as: UTF8.self)] + set).joined(separator: "\n"))
    } catch let fault as RunError {
      throw fault
    } catch {
      throw RunError(description: startErrorText(error), isOfGraph: true)
    }
  }

  private func report(_ summary: MeasureJob.Summary, columns: Int) {
    var parts = ["\(NumberFormat.count(summary.rows, "row")) of \(NumberFormat.count(columns, "column"))"]
    if summary.known > 0 { parts.append("\(summary.known) were there already") }
    if summary.faults > 0 { parts.append("\(summary.faults) have a fault, in error_code and error") }
    printResult("wrote \(output): \(parts.joined(separator: "; "))")
  }
}

extension TableFormat: ExpressibleByArgument {}
