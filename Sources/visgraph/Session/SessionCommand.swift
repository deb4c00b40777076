import ArgumentParser
import Controls
import Glibc
import Graphs
import Hosts

/// `visgraph session [GRAPH]`; also `visgraph` without arguments, if NSM_URL is set.
struct SessionCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract:
      "Runs a graph as a client of a session manager (NSM), which chooses the graph and the name of the client.",
    discussion: """
      A session manager such as Agordejo, RaySession or nsmd starts `visgraph` with NSM_URL set; without arguments that is \
      this command. The project is a folder of the session with a graph, graph.yaml, which is yours to edit, and the state \
      of the show. Save writes what was set live into the graph. The manager's button for the program's window opens the \
      desk in a browser, and closes the pages on this machine; they are served unless `--view off` says otherwise.
      """)

  @ArgumentParser.Argument(
    help:
      "The graph of which a new project gets a copy; by default two inputs to a rig.",
    completion: .file(extensions: ["yaml", "yml", "json"])) var graph: String?

  @OptionGroup var live: HostArguments

  func run() throws {
    let stop = try StopSignals.ofShow()
    guard let url = environment()["NSM_URL"] else {
      throw ValidationError(
        "NSM_URL is not set: a session manager starts this; for a show without one: visgraph run")
    }
    do {
      let client = try NSMClient(url)
      let isOver = { stop.signals.isAsked }
      guard try client.announce(as: Self.program, until: isOver) else { return }
      var next = client.nextProject(until: isOver)
      var session: OpenSession?
      while let project = next {
        session = perform(project, client, stop, before: session)
        if stop.signals.isAsked {
          if session?.hasLosses == true { throw ExitCode.failed }
          return
        }
        next = client.takeProject() ?? client.nextProject(until: isOver)
      }
    } catch let error as NSMClient.SessionError {
      printNote("visgraph: \(DisplayedText.safe("\(error)"))", .fault)
      throw ExitCode.failed
    }
  }

  /// The name of the executable, by which the manager starts it again.
  private static var program: String {
    (CommandLine.arguments.first ?? "visgraph").split(separator: "/").last.map(String.init) ?? "visgraph"
  }

  /// Runs a project until the manager asks for another one or the end. Returns its session; nil where the project could
  /// not be opened.
  private func perform(
    _ project: NSMClient.Project, _ client: NSMClient,
    _ stop: (signals: StopSignals, watchdog: StopWatchdog), before: OpenSession?
  ) -> OpenSession? {
    client.progress(0)
    let folder = SessionFolder(path: project.path)
    if let fault = folder.prepare(name: project.name, template: graph) {
      client.refuseOpen(fault.fault, fault.reason)
      return nil
    }
    var file = FileWatch(folder.graph)
    let origin = GraphSource(place: .file(folder.graph))
    let checked = origin.read([])
    guard let graph = checked.graph else {
      write(LogPriority.marked(DiagnosticText.text(checked), .fault), to: 2)
      client.refuseOpen(.badProject, checked.faults.first?.message ?? "the graph has faults")
      return nil
    }
    file.follow(graph.files)
    let session = OpenSession(client, project, folder, before: before)
    do {
      // The manager has a button for the pages, so they are served even if the graph does not ask for them.
      var pages = graph.view
      if pages.listen == .off { pages.listen = .standard }
      var options = try live.options(
        client: project.client, folders: [graph.folder], control: graph.control, view: pages, watch: true)
      // The manager chooses the client's name, by which it restores connections.
      options.exactName = true
      options.state = live.state ?? folder.state
      options.session = session
      let run = try LiveRun(
        graph, source: checked.source, origin: origin, file: file, options: options, stop: stop)
      try run.perform()
    } catch {
      printNote("visgraph: \(DisplayedText.safe("\(error)"))", .fault)
      guard session.isOpen else {
        client.refuseOpen(.general, "\(error)")
        return nil
      }
      // `open` is answered. The manager would take an error for the answer to its next `open`.
      session.report("\(error)")
    }
    return session
  }
}
