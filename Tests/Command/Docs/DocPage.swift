import Foundation
import TestSupport

/// A page of Markdown whose fenced blocks the tests run.
///
/// The rule: in a block ```` ```sh ```` each line is a command (a backslash at its end continues it), in a block
/// ```` ```yaml ```` stands a whole graph or emitter file. A block below `<!-- not run: REASON -->`, which no reader
/// sees, is left out and counted. Other blocks are not looked at.
struct DocPage {
  /// A fenced block.
  struct Block {
    let kind: String
    let lines: [String]
    /// The heading it stands under.
    let heading: String
    /// Why it is not run.
    let reason: String?

    /// Its commands, each on one line.
    var commands: [String] {
      lines.joined(separator: "\n").replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("#") }
    }
  }

  /// The folder of the package.
  static let root = projectFolder.path
  /// What users read first; every command and every graph in them is run.
  static let names = ["README.md", "graphs/GRAPHS.md", "graphs/cookbook/README.md"]

  /// Relative to the package.
  let name: String
  let text: String
  let blocks: [Block]

  init(_ name: String) throws {
    self.name = name
    text = try String(contentsOfFile: Self.root + "/" + name, encoding: .utf8)
    var blocks: [Block] = []
    var heading = ""
    var open: (kind: String, lines: [String], reason: String?)?
    var before = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let block = open {
        if line == "```" {
          blocks.append(
            Block(kind: block.kind, lines: block.lines, heading: heading, reason: block.reason))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        let mark = before.firstMatch(of: /^<!-- not run: (.+) -->$/)
        open = (String(line.dropFirst(3)), [], mark.map { String($0.1) })
      } else if line.hasPrefix("#") {
        heading = line
      }
      before = line
    }
    self.blocks = blocks
  }

  /// What is run below a heading: in one place, one after the other.
  struct Section {
    let heading: String
    var commands: [String] = []
  }

  /// The commands that are run, by heading.
  var sections: [Section] {
    var sections: [Section] = []
    for block in blocks where block.kind == "sh" && block.reason == nil {
      if sections.last?.heading != block.heading { sections.append(Section(heading: block.heading)) }
      sections[sections.count - 1].commands += block.commands
    }
    return sections
  }

  /// Where its links and pictures lead, without those to other sites.
  var links: [String] {
    text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
  }
}
