import Foundation
import Glibc
import TestSupport
import Testing

/// The units of systemd that are installed.
@Suite(.blocking) struct UnitTests {
  /// A unit with the built program in it, as tools/install would put it, in a folder of its own.
  private func unit(_ kind: String, in folder: TemporaryFolder) throws -> String {
    let text = try String(
      contentsOfFile: DocPage.root + "/packaging/\(kind)/visgraph@.service", encoding: .utf8)
    let bin = String(Visgraph.path.prefix(upTo: Visgraph.path.lastIndex(of: "/")!))
    return try folder.write(text.replacing("@bindir@", with: bin), to: "visgraph@museum.service")
  }

  @Test(arguments: ["system", "user"])
  func `systemd finds no fault in a unit`(kind: String) throws {
    let folder = try TemporaryFolder()
    let file = try unit(kind, in: folder)
    let child = try Child(
      [
        "systemd-analyze", "verify", "--man=no", "--recursive-errors=one",
        kind == "user" ? "--user" : "--system",
      ]
        + [file], variables: ["XDG_RUNTIME_DIR": folder.path])
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(child.notes.isEmpty, "\(child.notes)")
  }

  @Test func `what the units give away is little`() throws {
    // By systemd's own count from 0 to 10; a unit that says nothing has 9.6.
    for (kind, most) in [("system", 1.6), ("user", 6.5)] {
      let folder = try TemporaryFolder()
      let child = try Child(
        [
          "systemd-analyze", "security", "--no-pager", "--offline=yes", "--threshold=\(Int(most * 10))",
          try unit(kind, in: folder),
        ])
      #expect(child.exitCode() == 0, "\(kind): \(child.results.suffix(200))")
    }
  }

  /// The settings of a unit, as lines.
  private func settings(_ kind: String) throws -> Set<String> {
    let text = try String(
      contentsOfFile: DocPage.root + "/packaging/\(kind)/visgraph@.service", encoding: .utf8)
    return Set(
      text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && $0.contains("=") })
  }

  @Test func `the unit of the machine can open serial devices, and no others`() throws {
    let lines = try settings("system")
    // PrivateDevices= takes all devices out of /dev, whatever DeviceAllow= says.
    #expect(!lines.contains { $0.hasPrefix("PrivateDevices=") } && lines.contains("DevicePolicy=closed"))
    #expect(
      lines.filter { $0.hasPrefix("DeviceAllow=") }.sorted() == [
        "DeviceAllow=char-ttyACM rw", "DeviceAllow=char-ttyUSB rw",
      ])
    #expect(lines.contains("SupplementaryGroups=audio dialout"))
    // The names in DeviceAllow= are unknown to systemd until these modules are loaded.
    for order in ["After", "Wants"] {
      #expect(lines.contains("\(order)=modprobe@usbserial.service modprobe@cdc_acm.service"))
    }
  }

  @Test func `both units say the same where nothing keeps them from it`() throws {
    let (system, user) = try (settings("system"), settings("user"))
    let own = ["After=", "AssertPathExists=", "ExecStart=", "WantedBy="]
    #expect(user.subtracting(system).allSatisfy { line in own.contains { line.hasPrefix($0) } })
    #expect(system.contains("ProtectSystem=strict") && user.contains("Type=notify"))
  }
}
