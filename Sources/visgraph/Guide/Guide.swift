import CGuide

/// The guide to the graph language, graphs/GRAPHS.md, which the program contains.
///
/// Each chapter (`## Wires`) and section (`### Selectors`) is a topic. Every word of its heading finds it.
struct Guide {
  /// A chapter or section with its subsections.
  struct Topic {
    /// The level of its heading: 1 the page, 2 a chapter, 3 a section.
    let level: Int
    let title: String
    /// Its lines of Markdown, without the heading.
    let lines: ArraySlice<Substring>

    /// The words of the heading in lower case.
    var words: [String] {
      title.lowercased().split { !($0.isLetter || $0.isNumber) }.map { String($0) }
    }
  }

  /// All topics in order; the page itself is the first.
  let topics: [Topic]

  /// The guide that this program contains.
  static let own = Guide(
    markdown: String(decoding: UnsafeBufferPointer(start: vg_guide(), count: vg_guide_count()), as: UTF8.self)
  )

  /// Finds the topics of a page. Lines in a fenced block are no headings.
  init(markdown: String) {
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    var headings: [(line: Int, level: Int, title: String)] = []
    var isFenced = false
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") { isFenced.toggle() }
      let level = line.prefix { $0 == "#" }.count
      guard !isFenced, (1...3).contains(level), line.dropFirst(level).first == " " else { continue }
      headings.append((number, level, String(line.dropFirst(level + 1))))
    }
    topics = headings.enumerated().map { index, heading in
      // The topic of the page ends before the first chapter; others end before the next heading of their level.
      let next = headings[(index + 1)...].first { heading.level == 1 || $0.level <= heading.level }
      return Topic(
        level: heading.level, title: heading.title,
        lines: lines[(heading.line + 1)..<(next?.line ?? lines.count)])
    }
  }

  /// The names of the chapters for `visgraph help`.
  var chapters: [String] { topics.filter { $0.level == 2 }.compactMap(\.words.first) }

  /// Finds a topic by the first word of its heading, else by any word of it; chapters before sections. A final `s` is
  /// ignored.
  func topic(_ name: String) -> Topic? {
    let wanted = Self.stem(name.lowercased())
    let ordered = topics.sorted { $0.level < $1.level }
    return ordered.first { $0.words.first.map(Self.stem) == wanted }
      ?? ordered.first { $0.words.contains { Self.stem($0) == wanted } }
  }

  /// The word without a final `s`.
  private static func stem(_ word: String) -> Substring { word.hasSuffix("s") ? word.dropLast() : word[...] }
}
