import CGuide

/// The guide to the graph language: graphs/GRAPHS.md, a part of the program.
///
/// Each chapter (`## Wires`) and section (`### Selectors`) is a topic under every word of its heading.
struct Guide {
  /// A chapter or a section with all that is below it.
  struct Topic {
    /// 1 for the page, 2 for a chapter, 3 for a section.
    let level: Int
    let title: String
    /// Its lines of Markdown, without the heading.
    let lines: ArraySlice<Substring>

    /// The words under which it is found.
    var words: [String] {
      title.lowercased().split { !($0.isLetter || $0.isNumber) }.map { String($0) }
    }
  }

  /// All topics in the order of the page, the page itself first.
  let topics: [Topic]

  /// The guide that this program carries.
  static let own = Guide(
    markdown: String(decoding: UnsafeBufferPointer(start: vg_guide(), count: vg_guide_count()), as: UTF8.self)
  )

  /// Finds the topics of a page; a heading inside a fenced block is none.
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
      // The page is its introduction; a chapter reaches to the next one.
      let next = headings[(index + 1)...].first { heading.level == 1 || $0.level <= heading.level }
      return Topic(
        level: heading.level, title: heading.title,
        lines: lines[(heading.line + 1)..<(next?.line ?? lines.count)])
    }
  }

  /// The names of the chapters, as `visgraph help` takes them.
  var chapters: [String] { topics.filter { $0.level == 2 }.compactMap(\.words.first) }

  /// The topic of a question: by the first word of a heading, else by any of its words; chapters before
  /// sections, and `wire` is as good as `wires`.
  func topic(_ name: String) -> Topic? {
    let wanted = Self.stem(name.lowercased())
    let ordered = topics.sorted { $0.level < $1.level }
    return ordered.first { $0.words.first.map(Self.stem) == wanted }
      ?? ordered.first { $0.words.contains { Self.stem($0) == wanted } }
  }

  private static func stem(_ word: String) -> Substring { word.hasSuffix("s") ? word.dropLast() : word[...] }
}
