import Controls
import Engine
import Graphs
import OSC
import System
import Viewer
import Zeroconf

extension RunServices {
  /// Serves the pages if the command line or the graph asks for them.
  func openView() throws -> ViewServer? {
    var sources = ViewSources(
      show: show, router: router, folders: AllowedFolders(options.folders), version: ProgramVersion.number,
      events: events,
      host: { [weak self] in self?.hostFacts ?? HostSnapshot(name: "", rate: 0, timeline: 0) },
      levels: { [seen] in seen.newest })
    sources.faults = { [faults = reloader.faults] in faults.withLock { $0 } }
    sources.file = { [saving = reloader.saving] in saving.withLock { $0.json } }
    sources.jack = { [weak hosts] in hosts?.current.map(Self.ports) ?? .null }
    sources.soundDelay = { [weak hosts] in hosts?.current?.status.outputDelay ?? 0 }
    sources.patch = { [weak hosts] from, to, isMade in
      hosts?.current?.patch(from: from, to: to, isMade: isMade)
    }
    sources.controlPort = control?.port
    sources.notify = { [portLog, record] event in
      portLog.add(event, at: MonotonicClock.seconds)
      record?.add(event)
    }
    do throws(ListenError) { return try ViewServer.open(options.view, sources) } catch {
      throw RunError(description: "the pages' \(error); use another with --view PORT, or --view off")
    }
  }

  /// Announces by Avahi those services that other machines may use; nil where there are none.
  func announce(_ name: String) -> ServiceAnnouncement? {
    var services: [AnnouncedService] = []
    if let view, !view.address.isLoopback {
      // OSCQuery's service type by its proposal; the stage as a web page.
      services += Self.services("_oscjson._tcp", at: view.address, "txtvers=1")
      services += Self.services("_http._tcp", at: view.address, "path=/")
    }
    if let control, !control.address.isLoopback {
      services += Self.services("_osc._udp", at: control.address, "txtvers=1")
    }
    return ServiceAnnouncement(
      name: name, services: services,
      nameChanged: { [log] name in log.note("announced as \(DisplayedText.safe(name))") },
      hostNameChanged: { [weak view] in view?.announced(as: $0) })
  }

  /// The service as announced. A service that listens at one address is announced in that address's network alone, and
  /// not at all where no interface has the address.
  private static func services(
    _ type: String, at address: ListenAddress, _ text: String
  ) -> [AnnouncedService] {
    var service = AnnouncedService(type: type, port: address.port, text: [text])
    guard !address.host.isAny else {
      service.isIPv4 = address.host.isIPv4 ? true : nil
      return [service]
    }
    guard let network = NetworkInterface.all.first(where: { IPAddress($0.address) == address.host }) else {
      return []
    }
    (service.interface, service.isIPv4) = (network.name, address.host.isIPv4)
    return [service]
  }

  /// The ports of the sound server as JSON, for pages.
  private static func ports(_ host: any Host) -> Json {
    let status = host.status
    guard let server = status.server, let all = host.patchbay else { return .null }
    func names(_ names: [String]) -> Json { .array(names.map { .string($0) }) }
    return .object([
      ("client", .string(server.client)), ("server", .bool(server.isThere)),
      (
        "ports",
        .array(
          status.ports.map { port in
            .object([
              ("name", .string(port.port.name)), ("output", .bool(port.port.direction == .output)),
              ("connections", names(port.connections)),
            ])
          })
      ), ("outputs", names(all.outputs)), ("inputs", names(all.inputs)),
    ])
  }
}
