/// The sentences about files of settings, and about changes by path.
extension Diagnostic {
  static func notSettings(_ tree: Tree, _ file: SettingsFile) -> Diagnostic {
    Diagnostic(
      "wrong-value", "\(file.noun) is a map of keys and values, and this is \(tree.words)", at: tree.mark,
      notes: ["it begins with \(file.version): 1"])
  }

  static func missingVersion(_ file: SettingsFile, isGraph: Bool, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "missing-version", "the file does not say that it is \(file.noun)", at: mark,
      notes: [
        isGraph
          ? "it is a graph file; \(file.noun) has settings, and no nodes"
          : "write \(file.version): 1 in the first line"
      ])
  }

  static func wrongVersion(_ tree: Tree, _ file: SettingsFile) -> Diagnostic {
    Diagnostic("wrong-version", "\(file.version) is \(tree.words); it takes 1", at: tree.mark)
  }

  static func fileInFile(_ file: SettingsFile, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "file-in-file", "\(file.noun) cannot name another one", at: mark,
      notes: ["write its settings here, or name it in the node"])
  }

  static func notInFile(_ key: String, _ file: SettingsFile, at mark: Mark) -> Diagnostic {
    Diagnostic("not-in-file", "\(plain(key)) belongs into the graph, not into \(file.noun)", at: mark)
  }

  static func isSettingsFile(_ file: SettingsFile, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "not-a-graph", "this is \(file.noun), not a graph", at: mark,
      notes: ["a graph names it in a node: \(file.key): PATH"])
  }

  static func tooManyFileSettings(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "too-long",
      "settings that nodes take from files and from each other, or that are changed by their paths, come to more than "
        + "\(Limits.fileSettings)",
      at: mark)
  }

  static func filesTooLarge(at mark: Mark? = nil) -> Diagnostic {
    Diagnostic(
      "files-too-large",
      "with this file the graph would read more than \(Limits.filesBytes >> 20) MB, or \(Limits.events) keys and values, "
        + "from files of settings",
      at: mark)
  }

  /// `subject` is where the path stands; nil on the command line, where the path is shown anyway.
  static func path(
    _ path: SettingPath, _ fault: SettingPath.Fault, in subject: String?, at mark: Mark, quick: Bool
  ) -> Diagnostic {
    let begin = subject.map { "\($0) has the path \(quote(path.text)), and " } ?? ""
    switch fault {
    case .nothingInside(let place):
      return Diagnostic("path-too-long", "\(begin)\(plain(place)) has no settings inside", at: mark)
    case .unknown(let name, let place, let known, let before, let isSetting):
      var notes: [String] = []
      if !quick, let meant = nearest(to: name, among: known) {
        let rest = path.text.utf8.dropFirst(before.utf8.count + name.utf8.count)
        notes = ["did you mean \(before)\(meant)\(Substring(rest))?"]
      }
      notes.append(known.isEmpty ? "\(place) has none" : "known are \(known.joined(separator: ", "))")
      let what = isSetting ? "setting " : ""
      return Diagnostic(
        "unknown-path", "\(begin)\(plain(place)) has no \(what)\(quote(name))", at: mark, notes: notes)
    }
  }
}
