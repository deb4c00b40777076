import Foundation
import TestSupport
import Testing

/// What other programs receive, each in a network of its own with the show at the other end of a cable.
@Suite(.serialized, .blocking) struct ReadBackTests {
  /// What Tests/Lights/readback.py prints.
  private struct Printed: Decodable {
    let differences: [Int]
    let code: Int
    let status: String
    let slowest: Double
  }

  /// Modules of Python; OLA and QLC+ as patches/ sets them up.
  @Test(arguments: ["sacn", "stupidArtnet", "ola-sacn", "ola-artnet", "qlc-sacn", "qlc-artnet"])
  func `4 universes of 512 random values arrive in other programs as they were sent, 20 times`(
    receiver: String
  ) throws {
    let script = projectFolder.appending(path: "Tests/Lights/readback.py").path
    let child = try Child(
      Namespaces(network: true).command(["python3", script, receiver, "20", Visgraph.path]))
    let code = child.exitCode(within: 200)
    if code == 77 {
      // CI has run tools/setup, and a machine of an engineer may not have.
      #expect(
        ProcessInfo.processInfo.environment["CI"] == nil, "\(receiver) is not installed: tools/setup tests")
      return noteTooBusy("\(receiver) is not installed, run tools/setup tests")
    }
    try #require(code == 0, "\(child.notes)")
    let printed = try JSONDecoder().decode(Printed.self, from: Data(child.results.utf8))
    #expect(printed.differences == [Int](repeating: 0, count: 20), "\(printed.status)")
    #expect(printed.code == 0 && printed.status.contains("healthy"))
    if receiver == "ola-artnet" {
      #expect(printed.status.contains("10.9.0.2 OLA - ArtNet node puts out 0.0.1, 0.0.2, 0.0.3, 0.0.4"))
    }
  }

  /// What Tests/Lights/pictures.py prints.
  private struct Pictures: Decodable {
    let differences: [Int]
    let code: Int
  }

  @Test(arguments: [
    ("sacn", "type: sacn-output, to: 127.0.0.1, perUniverse: 100, sync: 7000", "1/1+400,2/1+400,3/1+224"),
    ("sacn", "type: sacn-output, to: 127.0.0.1, address: 7/258, split: true", "7/258+255,8/1+512,9/1+257"),
    (
      "stupidArtnet", "type: artnet-output, to: 127.0.0.1, first: 1, address: 1/301, sync: true",
      "1/301+212,2/1+512,3/1+300"
    ),
  ])
  func `a picture of 16 x 16 on 32 x 8 LEDs in three universes arrives as a slow reference computes it`(
    receiver: String, settings: String, places: String
  ) throws {
    let script = projectFolder.appending(path: "Tests/Lights/pictures.py").path
    let child = try Child(
      Namespaces(network: true).command(["python3", script, receiver, settings, places, Visgraph.path]))
    let code = child.exitCode(within: 150)
    if code == 77, ProcessInfo.processInfo.environment["CI"] == nil {
      return noteTooBusy("\(receiver) is not installed, run tools/setup tests")
    }
    try #require(code == 0, "\(child.notes)")
    let printed = try JSONDecoder().decode(Pictures.self, from: Data(child.results.utf8))
    #expect(printed.differences == [0, 0, 0, 0, 0] && printed.code == 0, "\(child.notes)")
  }
}
