extension HostileFiles {
  /// Files of many wires.
  static var wires: [HostileFile] {
    [
      HostileFile("a ring of wires", "wire-loop") { text in
        text.head()
        text.each(0..<9000) { "  n\($0): { type: gain }\n" }
        text.add("wires:\n")
        text.each(0..<9000) { "- n\($0) -> n\(($0 + 1) % 9000)\n" }
      },
      HostileFile("9,000 nodes wired to themselves", "wire-loop", isManifold: true) { text in
        text.head()
        text.each(0..<9000) { "  n\($0): { type: gain }\n" }
        text.add("wires:\n")
        text.each(0..<9000) { "- n\($0) -> n\($0)\n" }
      },
      HostileFile("everything wired to everything", "wire-loop") { text in
        text.head()
        text.each(0..<220) { "  n\($0): { type: gain }\n" }
        text.add("wires:\n")
        text.each(0..<220) { from in (0..<220).map { from == $0 ? "" : "- n\(from) -> n\($0)\n" }.joined() }
      },
      HostileFile("a selector without end", "unknown-channel") { text in
        text.toneAndMeter()
        text.add("wires: [\"t[1-99999999999999999999] -> m\"]\n")
      },
      HostileFile("a selector of a million numbers", "too-long") { text in
        text.toneAndMeter()
        text.add("wires: [\"t[")
        text.add("1,", 1_000_000)
        text.add("1] -> m\"]\n")
      },
      HostileFile("wires that pick much", "too-many-channels") { text in
        text.toneAndMeter()
        text.add("wires:\n")
        text.add("- t[\(String(repeating: "1-2,", count: 200))1] -> m\n", 4000)
      },
      HostileFile("a place far away", "too-many-channels") { text in
        text.toneAndMeter()
        text.add("wires: [\"t -> m[99999999]\"]\n")
      },
      HostileFile("a chain of a million links", "too-long") { text in
        text.toneAndMeter()
        text.add("wires: [\"t")
        text.add("->m", 1_000_000)
        text.add("\"]\n")
      },
      HostileFile("widths that double", "too-many-channels") { text in
        text.toneAndMeter()
        text.each(0..<40) { "  r\($0): { type: range }\n" }
        text.add("wires:\n- t -> m -> r0\n")
        text.each(0..<39) { "- r\($0) -> r\($0 + 1)\n- r\($0)[1-2] -> r\($0 + 1)\n- r\($0) -> r\($0 + 1)\n" }
      },
      HostileFile("wires to nobody, whose names are long", "unknown-node", isManifold: true) { text in
        text.head()
        text.each(0..<15_000) { "  \(long($0)): { type: tone-source }\n" }
        text.add("wires:\n")
        text.each(0..<10_000) { "- \(long($0))y -> \(long($0))z\n" }
      },
      HostileFile("4 MB of nonsense in a wire", "wire-syntax") { text in
        text.head()
        text.add("  t: { type: tone-source }\n")
        text.add("wires: [\"t ")
        text.add("x ", 1_900_000)
        text.add("\"]\n")
      },
      HostileFile("4 MB of arrows", "wire-syntax") { text in
        text.head()
        text.add("  t: { type: tone-source }\n")
        text.add("wires: [\"")
        text.add("->", 1_900_000)
        text.add("\"]\n")
      },
      HostileFile("unknown channels of 512 names", "unknown-channel", isManifold: true) { text in
        text.head()
        text.add("  i: { type: jack-input, names: [")
        text.each(0..<512) { "\(long($0)), " }
        text.add("] }\n  m: { type: meter }\nwires:\n")
        text.each(0..<40_000) { "- i[\(long($0))y] -> m\n" }
      },
      HostileFile("4096 channels everywhere", "too-many-channels") { text in
        text.head()
        text.each(0..<400) { "  t\($0): { type: tone-source, channels: 1024 }\n  m\($0): { type: meter }\n" }
        text.add("wires:\n")
        text.each(0..<400) { "- t\($0) -> m\($0)\n" }
      },
    ]
  }
}
