import ArgumentParser
import Controls
import Graphs
import OSC
import System
import Viewer

/// `visgraph relay URL`.
struct RelayCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "relay",
    abstract: "Hands the stage of a running show on to more browsers.",
    discussion: """
      Takes the stage from a show that runs with --view, as one of its viewers, and serves it to others: the same \
      page, the same particles to the bit. No viewer controls the show through a relay. It waits for a show that is \
      not there, and goes on when it comes back. A relay may take its stage from another. Both have to be of the same \
      version.

      visgraph relay http://192.168.1.2:7780/ --view 0.0.0.0:7780 --allow 192.168.0.0/16
      """)

  @ArgumentParser.Argument(
    help: ArgumentHelp(
      "The address of the stage as a browser opens it, with ?key=WORD if the show has a key; otherwise the variable "
        + "VISGRAPH_KEY holds it.",
      valueName: "url"))
  var show: String

  @Option(
    help: ArgumentHelp(
      "Where the stage is served: a port of this machine, ADDRESS:PORT or [IPV6]:PORT; by default 7780 or the next "
        + "free one. Other machines get it only with --allow.", valueName: "[address:]port"))
  var view: ViewOption?

  @Option(
    help: ArgumentHelp(
      "Who may look on besides this machine: an address, a network such as 192.168.1.0/24, or any. May repeat.",
      valueName: "network|any"))
  var allow: [AllowOption] = []

  @Option(
    help: ArgumentHelp(
      "A name by which the stage is opened besides those of this machine, such as that of a proxy. May repeat.",
      valueName: "name"))
  var viewName: [ViewNameOption] = []

  func run() throws {
    let address: RelayAddress
    do throws(RelayAddress.Fault) {
      address = try RelayAddress(show, key: environment()["VISGRAPH_KEY"])
    } catch {
      throw ValidationError("\(DisplayedText.safe(SecretMask.unknown.masked(show))): \(error)")
    }
    var pages = try ViewSettings().with(view?.listen ?? .standard, allow, "view")
    pages.names = viewName.map(\.name)
    let signals = try StopSignals()
    let log = Log(.normal)
    defer { log.flush(within: 1) }
    let refusals = PortLog(reportsAll: false)
    var settings = RelaySettings(show: address, version: ProgramVersion.number) { event in
      let weight: LogLine.Weight = if case .lost = event { .warning } else { .note }
      log.note(DisplayedText.safe("\(event)"), weight)
    }
    let logRefusals = { @Sendable in
      for line in refusals.takeLines(at: MonotonicClock.seconds) {
        log.note(DisplayedText.safe(line.text), .warning)
      }
    }
    settings.refused = { event in
      refusals.add(event, at: MonotonicClock.seconds)
      logRefusals()
    }
    let server: ViewServer?
    do throws(ListenError) { server = try ViewServer.open(pages, settings) } catch {
      printNote("visgraph: the pages' \(error); use another with --view PORT", .fault)
      throw ExitCode.failed
    }
    guard let server else { throw ValidationError("--view off leaves a relay nothing to do") }
    log.note("view \(server.name)")
    while !signals.isAsked {
      signals.wait(seconds: 60)
      // Refusals that came within a minute of an earlier one wait for this.
      logRefusals()
    }
    server.leave()
  }
}
