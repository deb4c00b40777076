import System
import TestSupport
import Testing

@testable import Zeroconf

/// Services announced by Avahi's daemon, which may run or not; no caller waits for it.
@Suite(.blocking) struct ServiceAnnouncementTests {
  static let services = [
    AnnouncedService(type: "_oscjson._tcp", port: 7780, text: ["txtvers=1"], family: .ipv4),
    AnnouncedService(type: "_osc._udp", port: 7770, text: ["txtvers=1", "no=thing"], interface: "lo"),
  ]

  private func announce(_ bus: MessageBus, _ name: String = "Show") throws -> ServiceAnnouncement {
    try #require(ServiceAnnouncement(name: name, services: Self.services, bus: bus.address))
  }

  private func expected(_ name: String) -> [AvahiStandIn.Service] {
    [
      .init(
        name: name, type: "_oscjson._tcp", port: 7780, text: ["txtvers=1"], interface: -1, family: 0),
      .init(
        name: name, type: "_osc._udp", port: 7770, text: ["txtvers=1", "no=thing"],
        interface: NetworkInterface.index(of: "lo") ?? -1, family: -1),
    ]
  }

  @Test func `services are announced, and withdrawn at the end`() throws {
    let bus = try MessageBus()
    let daemon = try AvahiStandIn(bus)
    defer { daemon.end() }
    let announcement = try announce(bus)
    #expect(poll { announcement.name == "Show" })
    #expect(daemon.announced == expected("Show") && daemon.complaints.isEmpty, "\(daemon.complaints)")
    announcement.close()
    #expect(poll { daemon.announced.isEmpty && announcement.name == nil })
  }

  @Test func `a name that is taken on this machine or elsewhere gets a number`() throws {
    let bus = try MessageBus()
    let daemon = try AvahiStandIn(bus, .init(taken: ["Show", "Show #2"], takenElsewhere: ["Show #3"]))
    defer { daemon.end() }
    let announcement = try announce(bus)
    #expect(poll { announcement.name == "Show #4" })
    #expect(daemon.announced == expected("Show #4") && daemon.complaints.isEmpty, "\(daemon.complaints)")
  }

  @Test func `a daemon that starts late, ends and starts again gets the services each time`() throws {
    let bus = try MessageBus()
    let names = Locked<[String]>([])
    let announcement = try #require(
      ServiceAnnouncement(name: "Show", services: Self.services, bus: bus.address) { name in
        names.withLock { $0.append(name) }
      })
    #expect(stays(for: 0.2) { announcement.name == nil })
    for _ in 0..<3 {
      let daemon = try AvahiStandIn(bus)
      #expect(poll { announcement.name == "Show" && daemon.announced == expected("Show") })
      daemon.end()
      #expect(poll { announcement.name == nil })
    }
    #expect(names.withLock { $0 } == ["Show"])
  }

  @Test
  func `the host name is reported, anew when it changes, and not without a daemon`()
    throws
  {
    let bus = try MessageBus()
    let daemon = try AvahiStandIn(bus, .init(host: "stage-2.local"))
    let hosts = Locked<[String?]>([])
    let opened = ServiceAnnouncement(
      name: "Show", services: Self.services, bus: bus.address,
      hostNameChanged: { host in hosts.withLock { $0.append(host) } })
    let announcement = try #require(opened)
    #expect(poll { hosts.withLock { $0 } == ["stage-2.local"] })
    daemon.hostChanges(to: 1)
    daemon.hostChanges(to: 2)
    #expect(poll { hosts.withLock { $0 } == ["stage-2.local", "stage-2.local"] })
    #expect(daemon.complaints.isEmpty, "\(daemon.complaints)")
    daemon.end()
    #expect(poll { hosts.withLock { $0.last } == .some(nil) })
    announcement.close()
  }

  @Test func `a daemon or a bus that hangs or is missing delays nothing`() throws {
    let bus = try MessageBus()
    let daemon = try AvahiStandIn(bus, .init(isMute: true))
    let mute = try announce(bus)
    #expect(poll { daemon.callCount > 0 })
    bus.freeze(true)
    let frozen = try announce(bus)
    let nobody = try #require(
      ServiceAnnouncement(name: "Show", services: Self.services, bus: "unix:path=/nowhere"))
    for announcement in [mute, frozen, nobody] {
      announcement.close()
      #expect(poll { announcement.isOver && announcement.name == nil })
    }
    bus.freeze(false)
    daemon.end()
  }

  @Test
  func `after a change of the host name services are announced anew, and a forged signal changes nothing`()
    throws
  {
    let bus = try MessageBus()
    let daemon = try AvahiStandIn(bus)
    defer { daemon.end() }
    let announcement = try announce(bus)
    #expect(poll { announcement.name == "Show" })
    try daemon.pretend(bus)
    #expect(stays(for: 0.2) { announcement.name == "Show" })
    daemon.hostChanges(to: 1)
    #expect(poll { announcement.name == nil && daemon.announced.isEmpty })
    daemon.hostChanges(to: 2)
    #expect(poll { announcement.name == "Show" && daemon.announced == expected("Show") })
    #expect(daemon.complaints.isEmpty, "\(daemon.complaints)")
  }

  @Test func `without services, or with a bus that is no socket, there is no announcement`() {
    #expect(ServiceAnnouncement(name: "Show", services: [], bus: "unix:path=/nowhere") == nil)
    #expect(SystemBus.address { _ in "tcp:host=192.0.2.1,port=1" } == nil)
    #expect(SystemBus.address { _ in "unix:path=/a;tcp:host=b" } == "unix:path=/a")
    #expect(SystemBus.address { _ in nil } == "unix:path=/run/dbus/system_bus_socket")
  }

  @Test func `names are cut between characters to the length that DNS allows`() {
    #expect(ServiceName.name("Stereo sparks", attempt: 1) == "Stereo sparks")
    #expect(ServiceName.name("a\nb\u{7F}\u{200B}c", attempt: 2) == "abc #2")
    let long = String(repeating: "ä", count: 60)
    #expect(ServiceName.name(long, attempt: 1) == String(repeating: "ä", count: 31))
    #expect(ServiceName.name(long, attempt: 10) == String(repeating: "ä", count: 29) + " #10")
    #expect(ServiceName.name("\n", attempt: 1) == "visgraph")
  }
}
