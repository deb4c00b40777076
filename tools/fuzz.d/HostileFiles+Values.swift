extension HostileFiles {
  /// Files whose `${…}` grow exponentially.
  static var values: [HostileFile] {
    [
      HostileFile("values that double", "too-long", isManifold: true) { text in
        text.add("visgraph: 1\nvalues:\n  v0: xxxxxxxxxx\n")
        text.each(1..<60) { "  v\($0): \"${v\($0 - 1)}${v\($0 - 1)}\"\n" }
        text.add("nodes: { a: { type: \"${v59}\" } }\n")
      },
      HostileFile("a large value used often", "too-long", isManifold: true) { text in
        text.add("visgraph: 1\nvalues:\n  v: \"")
        text.add("x", 500_000)
        text.add("\"\nx: [")
        text.add("\"${v}\",", 40_000)
        text.add("]\n")
      },
      HostileFile("a value in itself", "unknown-value") { text in
        text.add("visgraph: 1\nvalues: { a: \"${a}${a}\" }\nnodes: { t: { type: tone-source } }\n")
      },
      HostileFile("a million dollars", "open-substitution", isManifold: true) { text in
        text.add("visgraph: 1\nname: \"")
        text.add("$${", 900_000)
        text.add("${\"\nnodes: { t: { type: tone-source } }\n")
      },
      HostileFile("unknown values, as many as fit", "unknown-value", isManifold: true) { text in
        text.add("visgraph: 1\nvalues:\n")
        text.each(0..<20_000) { "  value\($0): 1\n" }
        text.add("x: [")
        text.each(0..<30_000) { "\"${valve\($0)}\"," }
        text.add("]\nnodes: { t: { type: tone-source } }\n")
      },
    ]
  }
}
