import Foundation
import TestSupport
import Testing

/// What the pages print is what the program does.
@Suite(.blocking) struct DocsTests {
  /// What links call the headings of a page, behind a #.
  private static func anchors(of page: String) -> Set<String> {
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") || $0.hasPrefix("### ") }
    return Set(
      headings.map { line in
        let words = line.drop { "# ".contains($0) }.lowercased()
        return words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
      })
  }

  @Test(
    .enabled(if: DocShell.isPossible, "needs a network of its own: unshare and ip"),
    arguments: DocPage.names)
  func `every command of a page runs as printed`(_ name: String) throws {
    #expect(try DocPage(name).sections.count >= 3)
    for section in try DocPage(name).sections where !section.isForJack { try section.run(of: name) }
  }

  @Test(.enabled(if: DocShell.isPossible, "needs a network of its own: unshare and ip"))
  func `the next steps that the demo prints run as printed`() throws {
    let demo = try String(contentsOfFile: DocPage.root + "/tools/demo", encoding: .utf8)
    let commands = demo.split(separator: "\n").filter { $0.hasPrefix("  visgraph ") }.map { line in
      let command = line.dropFirst(2)
      return String(command.firstRange(of: "   ").map { command[..<$0.lowerBound] } ?? command)
        .replacing("HOST", with: "192.168.1.20")
    }
    #expect(commands.count >= 5)
    let failure = try lastOf(3) { try DocShell().run(commands) }
    #expect(failure == nil, "\(failure ?? "")")
  }

  @Test func `few blocks of the pages are not run, and each says why`() throws {
    let reasons = try DocPage.names.flatMap { try DocPage($0).blocks }.compactMap(\.reason)
    #expect(reasons.count <= 8, "\(reasons)")
    #expect(reasons.allSatisfy { $0.hasPrefix("needs ") || $0.hasPrefix("builds ") }, "\(reasons)")
  }

  @Test func `every link and every picture of a page has a target`() throws {
    for name in DocPage.names + ["graphs/emitters/README.md", "patches/README.md", "docs/TROUBLESHOOTING.md"]
    {
      let page = try DocPage(name)
      let folder = URL(filePath: DocPage.root + "/" + name).deletingLastPathComponent()
      for link in page.links {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? DocPage.root + "/" + name : folder.appending(path: parts[0]).path
        #expect(FileManager.default.fileExists(atPath: file), "\(name): \(link)")
        if parts.count > 1, file.hasSuffix(".md") {
          #expect(
            Self.anchors(of: try String(contentsOfFile: file, encoding: .utf8)).contains(parts[1]),
            "\(name): \(link)")
        }
      }
    }
  }
}

/// The same where it needs a sound server.
@Suite(.serialized, .blockingInJack) struct DocsInJackTests {
  @Test(
    .enabled(if: DocShell.isPossible, "needs a network of its own: unshare and ip"),
    arguments: DocPage.names)
  func `every command of a page that needs JACK runs as printed`(_ name: String) throws {
    for section in try DocPage(name).sections where section.isForJack {
      let server = try JackServer(.eightInputs)
      try section.run(of: name, server: server.name)
    }
  }
}

extension DocPage.Section {
  /// Whether it needs a sound server, and has one of its own.
  fileprivate var isForJack: Bool {
    commands.contains { $0.contains("--host jack") || $0.hasPrefix("jack_") || $0.contains("connect.sh") }
  }

  /// Runs its commands, as a page of this name prints them.
  fileprivate func run(of page: String, server: String = "visgraph-none") throws {
    let bus = commands.contains { $0.hasPrefix("playerctl") } ? try MessageBus() : nil
    var variables = ["JACK_NO_START_SERVER": "1", "JACK_DEFAULT_SERVER": server]
    if let bus { variables["DBUS_SESSION_BUS_ADDRESS"] = bus.address }
    // A busy machine may give a show too little time for its files at its end, or a command for its answer.
    let failure = try lastOf(3) { try DocShell(variables: variables).run(commands) }
    #expect(failure == nil, "\(page), \(heading): \(failure ?? "")")
  }
}

extension JackServer.Settings {
  /// A sound card with as many inputs as the docs patch.
  fileprivate static var eightInputs: Self {
    var settings = Self()
    settings.captures = 8
    return settings
  }
}
