extension HostileFiles {
  /// Files with much work for a YAML parser.
  static var yaml: [HostileFile] {
    [
      HostileFile("an alias bomb", "yaml-anchor", isManifold: true) { text in
        text.add("visgraph: 1\na: &a [x, x]\n")
        text.each(0..<40) { "k\($0): &k\($0) [*\($0 == 0 ? "a" : "k\($0 - 1)"), *a]\n" }
      },
      HostileFile("100,000 aliases", "yaml-alias", isManifold: true) { text in
        text.add("visgraph: &a 1\nx-a: [")
        text.add("*a,", 90_000)
        text.add("]\n")
      },
      HostileFile("lists a million deep", "too-deep") { text in text.add("[", 1_000_000) },
      HostileFile("maps a million deep", "too-deep") { text in text.add("{a: ", 1_000_000) },
      HostileFile("maps deep by indentation", "too-deep") { text in
        text.each(0..<2000) { String(repeating: " ", count: $0) + "a:\n" }
      },
      HostileFile("lists deep in one line", "too-deep") { text in text.add("- ", 1_000_000) },
      HostileFile("questions deep", "too-deep") { text in text.add("? ", 1_000_000) },
      HostileFile("40,000 keys twice", "duplicate-key", isManifold: true) { text in
        text.toneAndMeter()
        text.add("  t: { type: meter }\n", 20_000)
      },
      HostileFile("invalid UTF-8 at the end of 4 MB", "file-not-utf8") { text in
        text.add("# 日本語\n", 300_000)
        text.add(bytes: [0xC0, 0x80])
      },
      HostileFile("4 MB of invalid UTF-8", "file-not-utf8") { text in text.add(bytes: [0xFF], 4_000_000) },
      HostileFile("UTF-16", "file-not-utf8") { text in text.add(bytes: [0xFF, 0xFE, 0x76, 0]) },
      HostileFile("4 MB of zeros", "yaml-syntax") { text in text.add(bytes: [0], 4_000_000) },
      HostileFile("a quote never closed", "yaml-syntax") { text in
        text.add("visgraph: \"")
        text.add("a\n", 1_900_000)
      },
      HostileFile("a key of 4 MB", "yaml-syntax") { text in
        text.add("k", 3_900_000)
        text.add(": 1\n")
      },
      HostileFile("a hundred documents", "several-documents") { text in text.add("---\nvisgraph: 1\n", 100) },
      HostileFile("100,000 tags", "yaml-tag", isManifold: true) { text in
        text.add("x-a: [")
        text.add("!t a,", 90_000)
        text.add("]")
      },
      HostileFile("right to left, escapes and bells", "wrong-id", isManifold: true) { text in
        text.head()
        text.each(0..<1000) { "  \"\\e[2J\\a\u{202E}\u{2066}n\($0)\": {}\n" }
      },
    ]
  }
}
