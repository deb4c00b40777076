import Controls
import Graphs
import Hosts
import Nodes

/// How the graph of a run is changed while it runs: read again, replaced, set. On the control thread.
extension LiveRun {
  /// Carries out what waits at the desk, settings that come together as one change.
  func carryOut(_ changes: [Desk.Change], _ host: any Host) {
    var settings: [Desk.Change] = []
    func set() {
      if settings.isEmpty { return }
      made.carryOut(settings, in: graph) { graph throws(ControlFault) in try change(to: graph, host) }
      settings = []
    }
    for change in changes {
      switch change.command {
      case .set, .fader: settings.append(change)
      case .reload:
        set()
        reload(host, refused: change.refused)
      case .load(let path):
        set()
        load(path, host, refused: change.refused)
      case .quit: signals.stop()
      case .transport, .sound, .master, .blackout: break
      }
    }
    set()
  }

  /// Reads the graph again. With a fault the old graph stays.
  func reload(_ host: any Host, refused: Desk.Refusal = { _ in }) {
    var checked = origin.read(made.overrides)
    if checked.graph == nil {
      let lost = made.forget(faulty: checked)
      if !lost.isEmpty {
        log.note(
          "what was set does not fit any more and is forgotten: \(lost.joined(separator: ", "))", .warning)
        checked = origin.read(made.overrides)
      }
    }
    // Also when there is a fault: what is mended may be one of them.
    file?.follow(checked.files)
    if replace(by: checked, host, refused) {
      made.reload(checked.source)
      log.note("reloaded \(graph.path)")
    }
  }

  /// Runs another graph file as it stands. With a fault the old graph stays.
  private func load(_ path: String, _ host: any Host, refused: Desk.Refusal) {
    var watch = FileWatch(path)
    let new = GraphOrigin(place: .file(path))
    let checked = new.read([])
    guard replace(by: checked, host, refused) else { return }
    watch.follow(checked.files)
    (file, origin) = (watch, new)
    made.load(checked.source)
    log.note("runs \(path)")
  }

  private func replace(by checked: Checked, _ host: any Host, _ refused: Desk.Refusal) -> Bool {
    log.faults(DiagnosticText.text(checked))
    guard let new = checked.graph else {
      log.note("the graph has faults; the old one stays", .fault)
      refused(ControlFault(checked))
      return false
    }
    do throws(ControlFault) {
      try change(to: new, host)
      return true
    } catch {
      log.note("the graph cannot run (\(error.description)); the old one stays", .fault)
      refused(error)
      return false
    }
  }

  /// The server has another rate: the graph that runs, not the file, which may have a fault by now.
  func renew(_ host: any Host) {
    do throws(ControlFault) { try change(to: graph, host) } catch {
      log.note("the graph cannot run (\(error.description)); the old one stays", .fault)
    }
  }

  /// Changes to another graph, or to another rate. Where it cannot run the old one stays.
  private func change(to new: CheckedGraph, _ host: any Host) throws(ControlFault) {
    do {
      try show.change(to: new, surroundings(host), host: host)
    } catch {
      throw .graph(code: "cannot-run", whyItCannotRun(error), notes: [])
    }
    graph = new
  }
}
