extension HostileFiles {
  /// Files of many nodes.
  static var nodes: [HostileFile] {
    [
      HostileFile("like after like", "like-too-long", isManifold: true) { text in
        text.head()
        text.add("  n0: { type: tone-source }\n")
        text.each(1..<19_000) { "  n\($0): { like: n\($0 - 1) }\n" }
      },
      HostileFile("like in a ring", "like-loop") { text in
        text.head()
        text.each(0..<19_000) { "  n\($0): { like: n\(($0 + 1) % 19_000) }\n" }
      },
      HostileFile("19,000 like one with much", "nothing-wired", isManifold: true) { text in
        text.head()
        text.add("  n0: { type: meter, each: {")
        text.each(1..<250) { "\($0): { release: 1 }, " }
        text.add("} }\n")
        text.each(1..<19_000) { "  n\($0): { like: n0 }\n" }
      },
      HostileFile("100,000 faults", "unknown-setting", isManifold: true) { text in
        text.head()
        text.add("  m: { type: meter, ")
        text.each(0..<49_000) { "s\($0): 1, " }
        text.add("}\n")
      },
      HostileFile("a fault in every node", "unknown-setting", isManifold: true) { text in
        text.head()
        text.each(0..<14_000) { "  n\($0): { type: meter, relase: 1 }\n" }
      },
      HostileFile("unknown types", "unknown-type", isManifold: true) { text in
        text.head()
        text.each(0..<19_000) { "  n\($0): { type: \(String(repeating: "metr", count: 40)) }\n" }
      },
      HostileFile("an id of 3 MB", "wrong-id") { text in
        text.head()
        text.add("  ? ")
        text.add("n", 3_000_000)
        text.add("\n  : { type: tone-source }\n")
      },
      HostileFile("nobody is like anybody", "unknown-node", isManifold: true) { text in
        text.head()
        text.each(0..<19_000) { "  \(long($0)): { like: \(long($0))x }\n" }
      },
    ]
  }
}
