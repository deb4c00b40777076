import Foundation
import TestSupport
import Testing

/// `tools/install` and `tools/uninstall`, and what packages are made with.
@Suite(.blocking) struct InstallTests {
  private let folder: TemporaryFolder
  private let prefix: String

  init() throws {
    folder = try TemporaryFolder()
    prefix = folder.file("a prefix")
  }

  private func tool(
    _ words: String..., variables: [String: String] = [:]
  ) throws -> (code: Int32?, text: String) {
    let child = try Child(
      ["bash", DocPage.root + "/tools/" + words[0]] + words.dropFirst(), variables: variables)
    return (child.exitCode(within: 60), child.results + child.notes)
  }

  private func install(variables: [String: String] = [:]) throws -> (code: Int32?, text: String) {
    try tool("install", "--prefix", prefix, "--program", Visgraph.path, variables: variables)
  }

  /// All files and folders below the prefix.
  private func tree() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: prefix).sorted()
  }

  @Test func `an installed program runs, completes words, and is removed with all of its folders`() throws {
    try FileManager.default.createDirectory(atPath: prefix + "/share", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: prefix + "/share/mine"))
    let before = try tree()
    let first = try install()
    #expect(first.code == 0, "\(first.text)")
    #expect(first.text.contains("installed \(prefix)/bin/visgraph"))
    let after = try tree()
    let again = try install()
    #expect(again.code == 0, "\(again.text)")
    #expect(try tree() == after)

    let graph = prefix + "/share/visgraph/graphs/cookbook/newcomer.yaml"
    let levels = folder.file("levels.csv")
    let run = try Child([prefix + "/bin/visgraph", "render", graph, "--for", "0.5", "-o", levels])
    #expect(run.exitCode() == 0, "\(run.notes)")
    let complete = try Child([
      "bash", "-c", "source \"$1\" && complete -p visgraph", "bash",
      prefix + "/share/bash-completion/completions/visgraph",
    ])
    #expect(complete.exitCode() == 0, "\(complete.notes)")
    for (shell, file) in [
      ("zsh", "zsh/site-functions/_visgraph"), ("fish", "fish/vendor_completions.d/visgraph.fish"),
    ] {
      let path = prefix + "/share/" + file
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("render"))
      let isThere = try Child(["bash", "-c", "command -v \(shell)"]).exitCode() == 0
      if isThere { #expect(try Child([shell, "-n", path]).exitCode() == 0, "\(shell)") }
    }

    let pages = after.filter { $0.hasPrefix("share/man/man1/visgraph") }
    #expect(pages.contains("share/man/man1/visgraph.1") && pages.contains("share/man/man1/visgraph.run.1"))
    for page in pages {
      let shown = try Child(["man", "--warnings", "-l", prefix + "/" + page], variables: ["MANPAGER": "cat"])
      #expect(shown.exitCode() == 0 && shown.results.contains("visgraph"), "\(page): \(shown.notes)")
    }
    // The units start what is installed, also from a folder with a space in its name.
    let unit = try String(contentsOfFile: prefix + "/lib/systemd/system/visgraph@.service", encoding: .utf8)
    #expect(unit.contains("\nExecStart=\"\(prefix)/bin/visgraph\" run /etc/visgraph/%i.yaml"))
    #expect(after.contains("share/systemd/user/visgraph@.service"))
    let desktop = try Child(["desktop-file-validate", prefix + "/share/applications/visgraph.desktop"])
    #expect(desktop.exitCode() == 0 && desktop.results.isEmpty, "\(desktop.results)")
    let metadata = prefix + "/share/metainfo/org.visgraph.visgraph.metainfo.xml"
    let appstream = try Child(["appstreamcli", "validate", "--no-net", metadata])
    #expect(appstream.exitCode() == 0, "\(appstream.results)")
    #expect(after.contains("share/icons/hicolor/256x256/apps/visgraph.png"))

    // What is not the program itself.
    let sizes = try after.filter { !$0.hasPrefix("bin/") }.map { path in
      let facts = try FileManager.default.attributesOfItem(atPath: prefix + "/" + path)
      return facts[.type] as? FileAttributeType == .typeRegular ? facts[.size] as? Int ?? 0 : 0
    }
    #expect(sizes.reduce(0, +) < 5_000_000)

    let gone = try tool("uninstall", "--prefix", prefix)
    #expect(gone.code == 0, "\(gone.text)")
    #expect(try tree() == before)
    #expect(try tool("uninstall", "--prefix", prefix).code == 1)
  }

  @Test func `an installed program has its commit, and is not linked anew for it`() throws {
    func version(of program: String? = nil) throws -> String {
      let child = try Child([program ?? prefix + "/bin/visgraph", "--version"])
      #expect(child.exitCode() == 0, "\(child.notes)")
      return child.results
    }
    let commit = prefix + "/share/visgraph/commit"
    func install(_ commit: String) throws {
      let installed = try tool(
        "install", "--prefix", prefix, "--program", Visgraph.path, variables: ["VISGRAPH_COMMIT": commit])
      #expect(installed.code == 0, "\(installed.text)")
    }
    try install("1a2b3c4d5e6f-dirty")
    #expect(try version() == "0.1.0 (commit 1a2b3c4d5e6f-dirty)\n")
    let before = folder.file("before")
    try FileManager.default.copyItem(atPath: prefix + "/bin/visgraph", toPath: before)
    try install("6f5e4d3c2b1a")
    #expect(try version() == "0.1.0 (commit 6f5e4d3c2b1a)\n")
    #expect(FileManager.default.contentsEqual(atPath: prefix + "/bin/visgraph", andPath: before))
    // By another name and through a link it is the same program.
    let link = folder.file("vg")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: prefix + "/bin/visgraph")
    #expect(try version(of: link) == "0.1.0 (commit 6f5e4d3c2b1a)\n")

    for text in ["", "\u{1B}[2Jabc\n", String(repeating: "a", count: 65)] {
      try Data(text.utf8).write(to: URL(filePath: commit))
      #expect(try version() == "0.1.0 (commit unknown)\n", "\(text)")
    }
    try FileManager.default.removeItem(atPath: commit)
    #expect(try Child(["mkfifo", commit]).exitCode() == 0)
    #expect(try version() == "0.1.0 (commit unknown)\n")
    try FileManager.default.removeItem(atPath: commit)
    // A program of which nobody says the commit is not taken for the one before.
    try install("6f5e4d3c2b1a")
    try install("")
    #expect(try version() == "0.1.0 (commit unknown)\n")
    #expect(try tool("uninstall", "--prefix", prefix).code == 0)
  }

  @Test func `an installed program names every function in a trace, and no data`() throws {
    #expect(try install().code == 0)
    func names(_ program: String, _ command: String) throws -> String {
      let child = try Child(["bash", "-c", "nm \"$1\" | \(command)", "bash", program])
      _ = child.exitCode(within: 60)
      return child.results
    }
    let (installed, functions) = (prefix + "/bin/visgraph", "grep ' [tT] ' | sha256sum")
    #expect(try names(installed, functions) == names(Visgraph.path, functions))
    #expect(try names(installed, "grep -c ' [tT] main$'") == "1\n")
    #expect(try names(installed, "grep -c ' [bBdDrR] '") == "0\n")
  }

  @Test func `demo, install and package build the same program, without debug information`() throws {
    let build = "-c release -debug-info-format none --product visgraph"
    for name in ["demo", "install", "package", "sheets"] {
      let script = try String(contentsOfFile: DocPage.root + "/tools/" + name, encoding: .utf8)
      #expect(script.contains(build), "tools/\(name)")
      // What Package.swift would look at changes what is compiled.
      #expect(!script.contains("export VISGRAPH_COMMIT") || name == "package", "tools/\(name)")
    }
    let manifest = try String(contentsOfFile: DocPage.root + "/Package.swift", encoding: .utf8)
    #expect(!manifest.contains("VISGRAPH_COMMIT"))
  }

  @Test func `examples that the user has changed or added are kept, and that is reported`() throws {
    #expect(try install().code == 0)
    let graphs = prefix + "/share/visgraph/graphs/"
    let changed = graphs + "tutorial.yaml"
    let own = try String(contentsOfFile: changed, encoding: .utf8) + "# mine\n"
    try Data(own.utf8).write(to: URL(filePath: changed))
    try Data("visgraph: 1\n".utf8).write(to: URL(filePath: graphs + "added.yaml"))
    // Where coreutils has its translations, sha256sum speaks German.
    let again = try install(variables: ["LC_ALL": "C.UTF-8", "LANGUAGE": "de"])
    #expect(again.text.contains("you have changed \(changed): yours is \(changed)~ now"))
    #expect(try String(contentsOfFile: changed + "~", encoding: .utf8) == own)
    #expect(try String(contentsOfFile: changed, encoding: .utf8) != own)

    try Data(own.utf8).write(to: URL(filePath: changed))
    let gone = try tool("uninstall", "--prefix", prefix)
    #expect(gone.code == 0)
    #expect(gone.text.contains("kept, because you have changed it: \(changed)"))
    let files = try tree().filter { $0.hasSuffix(".yaml") || $0.hasSuffix("~") || $0.hasSuffix("visgraph") }
    #expect(
      files == [
        "share/visgraph", "share/visgraph/graphs/added.yaml", "share/visgraph/graphs/tutorial.yaml",
        "share/visgraph/graphs/tutorial.yaml~",
      ])
  }

  @Test func `a program that needs Swift installed is not packed`() throws {
    let packed = try tool("package", "--program", Visgraph.path, "--output", folder.path)
    #expect(packed.code == 1)
    #expect(
      packed.text.contains("needs Swift's libraries; build it with --static-swift-stdlib"), "\(packed.text)")
    #expect(try tool("package", "--outptu", folder.path).code == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `the copyright of a package lists all that is linked, with SwiftNIO's notice beside it`()
    throws
  {
    let copyright = try String(contentsOfFile: DocPage.root + "/packaging/copyright", encoding: .utf8)
    let resolved = try Data(contentsOf: URL(filePath: DocPage.root + "/Package.resolved"))
    let pins = try #require(
      (try JSONSerialization.jsonObject(with: resolved) as? [String: Any])?["pins"] as? [[String: Any]])
    let names = pins.compactMap { $0["identity"] as? String }
    #expect(names.contains("swift-nio"))
    // Only what SwiftNIO has for files needs swift-system, and that is not built.
    for name in names where name != "swift-system" { #expect(copyright.contains(name), "\(name)") }
    for part in ["Swift runtime", "llhttp", "SHA-1", "cpp_magic.h", "WIDE Project", "Fedor Indutny"] {
      #expect(copyright.contains(part), "\(part)")
    }
    let notice = "/NOTICE.swift-nio", original = "/.build/checkouts/swift-nio/NOTICE.txt"
    #expect(
      try Data(contentsOf: URL(filePath: DocPage.root + "/packaging" + notice))
        == Data(contentsOf: URL(filePath: DocPage.root + original)))
  }

  @Test func `every page that the manual refers to exists`() throws {
    let folder = DocPage.root + "/docs/man/"
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(pages.contains("visgraph.run.1"))
    for page in pages {
      let text = try String(contentsOfFile: folder + page, encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix(".Xr visgraph") {
        let words = line.split(separator: " ")
        #expect(pages.contains("\(words[1]).\(words[2])"), "\(page): \(line)")
      }
    }
  }

  @Test func `a package's changes to other sources fit the versions that are built`() throws {
    let patches = DocPage.root + "/packaging/patches/"
    let names = try FileManager.default.contentsOfDirectory(atPath: patches)
    #expect(names == ["swift-argument-parser.patch"])
    for name in names {
      let sources = DocPage.root + "/.build/checkouts/" + name.replacing(".patch", with: "")
      let git = try Child(["git", "-C", sources, "apply", "--check", patches + name])
      #expect(git.exitCode() == 0, "\(git.notes)")
    }
  }

  @Test func `try-package fails without a package`() throws {
    for words in [[], ["--mirror"], ["--sytem", "/nowhere"], [folder.file("none.deb")]] {
      let child = try Child(["bash", DocPage.root + "/tools/try-package"] + words)
      #expect(child.exitCode() == 64 && child.notes.hasPrefix("tools/try-package: "), "\(words)")
    }
  }

  @Test func `wrong usage is reported and changes nothing`() throws {
    #expect(try tool("install", "--prefx", prefix).code == 64)
    #expect(try tool("install", "--prefix").code == 64)
    #expect(try tool("uninstall", prefix).code == 64)
    #expect(try tool("install", "--prefix", prefix, "--program", "/nowhere/visgraph").code == 1)
    #expect(!FileManager.default.fileExists(atPath: prefix))
  }
}
