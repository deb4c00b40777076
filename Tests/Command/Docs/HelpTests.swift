import Foundation
import TestSupport
import Testing

@testable import visgraph

/// `visgraph help` and the guide that it carries.
@Suite(.blocking) struct HelpTests {
  @Test func `every chapter of the guide is a topic, and so are the words that newcomers use`() throws {
    let page = try DocPage("graphs/GRAPHS.md")
    let chapters = page.text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(Guide.own.chapters.count == chapters.count)
    for chapter in chapters {
      let ending = try Visgraph.run("help", String(chapter.prefix { $0.isLetter }))
      #expect(ending.code == 0 && ending.results.hasPrefix(chapter + "\n\n"), "\(chapter)")
    }
    let words = [
      "graphs", "wires", "stage", "units", "names", "emitters", "control", "values", "fps", "like", "each",
      "selectors", "ports", "pulse",
    ]
    for word in words { #expect(Guide.own.topic(word) != nil, "\(word)") }
  }

  @Test func `text on a terminal has no Markdown, and its prose fits 80 columns`() {
    for topic in Guide.own.topics {
      let text = GuideText(topic).text
      for mark in ["```", "](", "![", "<!--", "**", "\n## "] {
        #expect(!text.contains(mark), "\(topic.title): \(mark)")
      }
      for line in text.split(separator: "\n") where !line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test func `a shell completes the names of files wherever a command takes one`() throws {
    let dump = try Visgraph.run("--experimental-dump-help").results
    let help = try #require(try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
    var found = 0
    func walk(_ command: [String: Any], _ path: String) throws {
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        let name = argument["valueName"] as? String ?? ""
        guard argument["shouldDisplay"] as? Bool != false, argument["kind"] as? String != "flag",
          ["file", "out.", "output", "graph", "audio", "levels"].contains(where: name.hasPrefix)
        else { continue }
        found += 1
        let kind = argument["completionKind"] as? [String: Any]
        #expect(kind?["file"] != nil, "\(path) \(name)")
      }
      for inner in command["subcommands"] as? [[String: Any]] ?? [] {
        try walk(inner, "\(path) \(inner["commandName"] ?? "")")
      }
    }
    try walk(try #require(help["command"] as? [String: Any]), "visgraph")
    #expect(found > 20)
  }

  @Test func `the help names on and off wherever a command listens`() throws {
    let help = try Visgraph.run("help", "run").results
    for option in ["--control <[address:]port|on|off>", "--view [<[address:]port|on|off>]"] {
      #expect(help.contains(option), "\(help)")
    }
  }

  @Test func `nodes stage lists the settings and refers to the chapter`() throws {
    let ending = try Visgraph.run("nodes", "stage")
    #expect(ending.code == 0)
    #expect(ending.results.hasPrefix("Settings of a stage\n  size "))
    #expect(ending.results.contains("\nStage\n\nThe stage is what pictures and films show."))
    #expect(try Visgraph.run("nodes", "wires").results == Visgraph.run("help", "wires").results)
    #expect(try Visgraph.run("nodes", "head").results.hasPrefix("Settings of a graph file\n  name "))
  }

  @Test func `help of a subcommand is its own, and an unknown word gets the list of topics`() throws {
    #expect(try Visgraph.run("help", "render").results == Visgraph.run("render", "--help").results)
    #expect(try Visgraph.run("help").results == Visgraph.run("--help").results)
    let unknown = try Visgraph.run("help", "metre")
    #expect(unknown.code == 64)
    #expect(unknown.notes.contains("there is no subcommand and no topic metre; topics are: start, head,"))
    #expect(try Visgraph.run("nodes", "metre").code == 64)
  }

  @Test func `a heading inside a fenced block is no topic`() {
    let guide = Guide(
      markdown: "# Page\n\nText.\n\n## One: first\n\n```sh\n# not one\n```\n\n### Two\n\nMore.\n## Three\n")
    #expect(guide.topics.map(\.title) == ["Page", "One: first", "Two", "Three"])
    #expect(guide.chapters == ["one", "three"])
    #expect(guide.topic("firsts")?.title == "One: first")
    #expect(guide.topic("Page")?.lines.joined() == "Text.")
    #expect(guide.topic("one")?.lines.last == "More.")
    #expect(guide.topic("zero") == nil)
  }
}
