import Glibc

extension HostileFiles {
  /// Settings with excessive values.
  static var settings: [HostileFile] {
    [
      HostileFile("huge numbers", "wrong-value", isManifold: true) { text in
        text.head()
        text.each(0..<3000) {
          "  n\($0): { type: tone-source, level: 1e999, frequency: -1e999999999, channels: 1e30 }\n"
        }
      },
      HostileFile("a number of 4 MB", "wrong-value") { text in
        text.head()
        text.add("  t: { type: tone-source, level: ")
        text.add("9", 3_900_000)
        text.add(" }\n")
      },
      HostileFile("fps of a trillion parts", "wrong-value") { text in
        text.add("visgraph: 1\nfps: 999999999999/0.0000000001\nnodes: { t: { type: tone-source } }\n")
      },
      HostileFile("texts that almost fit a pattern", "osc-host-brackets", isManifold: true) { text in
        text.head()
        text.each(0..<14_000) {
          "  n\($0): { type: osc-output, to: \"\(String(repeating: ":1", count: 120))x\" }\n"
        }
      },
      HostileFile("single channels without end", "too-long", isManifold: true) { text in
        text.head()
        text.add("  t: { type: tone-source, channels: 1024, each: {\n")
        text.each(0..<4000) {
          "\"1-1024\(String(repeating: " ", count: $0 % 500))\($0 < 500 ? "" : ",\($0 % 1024)")\": { level: 1 },\n"
        }
        text.add("} }\n")
      },
      HostileFile("20,000 drives", "wrong-value", isManifold: true) { text in
        text.head()
        text.add("  e: { type: emitter, drive: [")
        text.add("{ key: a }, ", 20_000)
        text.add("] }\n")
      },
      HostileFile("drives of nothing there is", "unknown-cell", isManifold: true) { text in
        text.toneAndMeter()
        text.add("  l: { type: meter-table }\n")
        text.each(0..<40) { node in
          "  e\(node): { type: emitter, cells: { "
            + (0..<100).map { "\(long($0)): {}, " }.joined() + "}, drive: ["
            + (0..<250).map { "{ key: cells.\(long($0))y.scale }, " }.joined() + "] }\n"
        }
        text.add("wires:\n- t -> m -> l\n")
        text.each(0..<40) { "- l -> e\($0)\n" }
      },
      HostileFile("cells within cells", "too-deep") { text in
        text.head()
        text.add("  e: { type: emitter, cells: ")
        text.add("{ c: { cells: ", 5000)
        text.add("}")
      },
      HostileFile("cells side by side, each driven", "unknown-key", isManifold: true) { text in
        text.toneAndMeter()
        text.add("  l: { type: meter-table }\n")
        text.add("  e: { type: emitter, cells: {\n")
        text.each(0..<20_000) { "\(long($0)): {},\n" }
        text.add("}, drive: [")
        text.each(0..<250) { "{ key: cells.\(long(19_999 - $0)).scall }, " }
        text.add("] }\nwires: [t -> m -> l -> e]\n")
      },
      HostileFile("20,000 changes of what is not there", "unknown-path", isManifold: true) { text in
        text.head()
        text.add("  e: { type: emitter, cells: { a: {} }, set: {\n")
        text.each(0..<20_000) { "cells.\(long($0)).scale: 1,\n" }
        text.add("} }\n")
      },
      HostileFile("20,000 changes among 20,000 cells", "too-long") { text in
        text.toneAndMeter()
        text.add("  l: { type: meter-table }\n  e: { type: emitter, cells: {\n")
        text.each(0..<20_000) { "c\($0): {},\n" }
        text.add("}, set: {\n")
        text.each(0..<20_000) { "cells.c\($0).scale: 1,\n" }
        text.add("} }\nwires: [t -> m -> l -> e]\n")
      },
      HostileFile("thousands of emitter files that are devices", "file-not-regular", isManifold: true) {
        text in
        text.head()
        text.each(0..<9000) {
          "  e\($0): { type: emitter, emitter: \($0 % 2 == 0 ? "/dev/zero" : "/dev/tty") }\n"
        }
      },
      HostileFile("thousands of emitter files that are not there", "file-not-found", isManifold: true) {
        text in
        text.head()
        text.each(0..<9000) { "  e\($0): { type: emitter, emitter: \(long($0)).yaml }\n" }
      },
      HostileFile("a name of 4 MB", "wrong-text") { text in
        text.add("visgraph: 1\nname: ")
        text.add("é", 1_900_000)
        text.add("\nnodes: { t: { type: tone-source } }\n")
      },
      HostileFile(
        "a sound that is a pipe", "audio-not-a-file",
        making: { path in
          mkfifo("\(path)-pipe", 0o644)
          sound("\(path)-pipe", path)
        }),
      HostileFile(
        "a sound that is a device without end", "audio-not-a-file", making: { sound("/dev/zero", $0) }),
      HostileFile("a sound that is a folder", "audio-folder", making: { sound("/", $0) }),
      HostileFile("a sound that is the graph", "audio-format", making: { sound($0, $0) }),
      HostileFile("sounds that are not there", "audio-missing", isManifold: true) { text in
        text.head()
        text.each(0..<14_000) { "  n\($0): { type: file-source, path: none-\($0).wav }\n" }
      },
      HostileFile("one sound very often", "audio-missing", isManifold: true) { text in
        text.head()
        text.each(0..<14_000) { "  n\($0): { type: file-source, path: song.wav }\n" }
      },
    ]
  }

  /// A graph that plays a file.
  static func sound(_ sound: String, _ path: String) {
    guard var text = HostileText(path: path) else { return }
    text.head()
    text.add("  s: { type: file-source, path: \"\(sound)\" }\n")
    text.close()
  }
}
