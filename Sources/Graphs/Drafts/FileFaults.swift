import Glibc

/// Diagnostics about files that cannot be read, and about invalid YAML.
extension Diagnostic {
  static func unreadable(_ path: String, _ error: Int32) -> Diagnostic {
    if error == ENOENT || error == ENOTDIR {
      return Diagnostic("file-not-found", "there is no file \(quote(path))", at: nil)
    }
    let reason = error == EACCES ? "permission denied" : String(cString: strerror(error))
    return Diagnostic("file-unreadable", "the file \(quote(path)) cannot be read: \(reason)", at: nil)
  }

  static func isFolder(_ path: String, _ noun: String) -> Diagnostic {
    let kind = noun.split(separator: " ").dropFirst()
    let folder = plain(path.hasSuffix("/") ? path : path + "/")
    let example =
      kind.last == "file" ? ", such as \(folder)\(kind.dropLast().joined(separator: "-")).yaml" : ""
    return Diagnostic(
      "file-is-folder", "\(quote(path)) is a folder, not \(noun)", at: nil,
      notes: ["name a file in it" + example])
  }

  static func notRegular(_ path: String, _ noun: String) -> Diagnostic {
    Diagnostic("file-not-regular", "\(quote(path)) is a device or a pipe, not \(noun)", at: nil)
  }

  /// `most`: the limit in bytes.
  static func tooLarge(_ path: String, _ noun: String, most: Int) -> Diagnostic {
    let limit = most % (1 << 20) == 0 ? "\(most >> 20) MB" : "\(most) bytes"
    return Diagnostic(
      "file-too-large", "the file \(quote(path)) is larger than \(limit), the limit of \(noun)", at: nil)
  }

  static func emptyFile() -> Diagnostic {
    Diagnostic(
      "file-empty", "the file is empty", at: nil,
      notes: [beginning])
  }

  /// A note on how a graph file begins.
  static let beginning = "a graph file begins with visgraph: 1, followed by nodes: and wires:"
  /// A note on what replaces YAML's anchors and aliases.
  private static let reuse =
    "to reuse the settings of a node write like: ID; to reuse a value define it under values: and write ${NAME}"

  static func utf16() -> Diagnostic {
    Diagnostic("file-not-utf8", "the file is UTF-16", at: nil, notes: ["save it as UTF-8"])
  }

  static func notUTF8(at mark: SourceRange, byte: UInt8) -> Diagnostic {
    let hex = String(byte, radix: 16, uppercase: true)
    return Diagnostic(
      "file-not-utf8", "the byte 0x\(hex) is not UTF-8 here", at: mark, notes: ["save the file as UTF-8"])
  }

  static func unreadableCharacter(_ words: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "yaml-syntax", "a control character is not allowed here", at: mark, notes: ["remove it: \(words)"])
  }

  static func severalDocuments(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "several-documents", "a second YAML document begins here, but a file may have only one", at: mark,
      notes: ["remove the line ---, or make two files"])
  }

  static func tooDeep(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-deep", "this is nested deeper than \(Limits.depth) levels, the limit of a graph file",
      at: mark)
  }

  static func tooLong(at mark: SourceRange, most: Int) -> Diagnostic {
    most < Limits.events ? .filesTooLarge(at: mark) : .tooLong(at: mark)
  }

  static func tooLong(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-long", "the file has more than \(Limits.events) keys and values, the limit of a graph file",
      at: mark)
  }

  static func keyIsNotText(at mark: SourceRange) -> Diagnostic {
    Diagnostic("key-not-text", "a key must be text, not a list or a map", at: mark)
  }

  static func duplicateKey(_ name: String, at mark: SourceRange, firstLine: Int) -> Diagnostic {
    Diagnostic(
      "duplicate-key", "the key \(quote(name)) is repeated; the first is in line \(firstLine)",
      at: mark, notes: ["remove one of the two"])
  }

  static func alias(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "yaml-alias", "aliases (*name) are not supported in graph files", at: mark,
      notes: [reuse])
  }

  static func anchor(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "yaml-anchor", "anchors (&name) are not supported in graph files", at: mark,
      notes: [reuse])
  }

  static func tag(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "yaml-tag", "tags (!name) are not supported in graph files", at: mark,
      notes: ["remove it; a text that begins with ! needs quotes"])
  }
}

/// Diagnostics about files of settings, and about changes by path.
extension Diagnostic {
  static func notSettings(_ tree: Tree, _ file: SettingsFile) -> Diagnostic {
    Diagnostic(
      "wrong-value", "\(file.noun) must be a map of keys and values, not \(tree.words)", at: tree.mark,
      notes: ["begin it with \(file.version): 1"])
  }

  static func missingVersion(_ file: SettingsFile, isGraph: Bool, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-version", "the file lacks the key \(file.version) of \(file.noun)", at: mark,
      notes: [
        isGraph
          ? "it is a graph file; \(file.noun) has settings, and no nodes"
          : "write \(file.version): 1 in the first line"
      ])
  }

  static func wrongVersion(_ tree: Tree, _ file: SettingsFile) -> Diagnostic {
    Diagnostic("wrong-version", "\(file.version): must be 1, not \(tree.words)", at: tree.mark)
  }

  static func fileInFile(_ file: SettingsFile, at mark: SourceRange) -> Diagnostic {
    let kind = file.noun.split(separator: " ").dropFirst().joined(separator: " ")
    return Diagnostic(
      "file-in-file", "\(file.noun) cannot name another \(kind)", at: mark,
      notes: ["copy its settings here, or name that file in the node"])
  }

  static func notInFile(_ key: String, _ file: SettingsFile, at mark: SourceRange) -> Diagnostic {
    Diagnostic("not-in-file", "\(plain(key)) belongs in the graph, not in \(file.noun)", at: mark)
  }

  static func isSettingsFile(_ file: SettingsFile, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-graph", "this is \(file.noun), not a graph", at: mark,
      notes: ["a graph names it in a node: \(file.key): PATH"])
  }

  static func tooManyFileSettings(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-long",
      "more than \(Limits.fileSettings) settings are inherited, read from files or changed by path",
      at: mark)
  }

  static func filesTooLarge(at mark: SourceRange? = nil) -> Diagnostic {
    Diagnostic(
      "files-too-large",
      "with this file, the files of settings that the graph names exceed \(Limits.filesBytes >> 20) MB, or "
        + "\(Limits.events) keys and values",
      at: mark)
  }

  /// An invalid path. `subject`: the setting in which it stands; nil for the command line, whose option is shown
  /// anyway. `quick`: leaves out suggestions, which take time.
  static func path(
    _ path: SettingPath, _ fault: SettingPath.PathError, in subject: String?, at mark: SourceRange,
    quick: Bool
  ) -> Diagnostic {
    let begin = subject.map { "in the path \(quote(path.text)) of \($0), " } ?? ""
    switch fault {
    case .nothingInside(let place):
      return Diagnostic("path-too-long", "\(begin)\(plain(place)) has no settings inside", at: mark)
    case .unknown(let name, let place, let known, let before, let isSetting):
      var notes: [String] = []
      if !quick, let meant = nearest(to: name, among: known) {
        let rest = path.text.utf8.dropFirst(before.utf8.count + name.utf8.count)
        notes = ["did you mean \(before)\(meant)\(Substring(rest))?"]
      }
      let names = isSetting ? "settings" : "values"
      notes.append(
        known.isEmpty ? "\(place) has none" : "possible \(names): \(known.joined(separator: ", "))")
      let what = isSetting ? "setting " : ""
      return Diagnostic(
        "unknown-path", "\(begin)\(plain(place)) has no \(what)\(quote(name))", at: mark, notes: notes)
    }
  }
}
