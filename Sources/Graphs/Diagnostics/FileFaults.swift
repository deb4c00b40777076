import Glibc

/// The sentences about a file as a file, and about its YAML.
extension Diagnostic {
  static func unreadable(_ path: String, _ error: Int32) -> Diagnostic {
    if error == ENOENT || error == ENOTDIR {
      return Diagnostic("file-not-found", "there is no file \(quote(path))", at: nil)
    }
    let reason = error == EACCES ? "you may not read it" : String(cString: strerror(error))
    return Diagnostic("file-unreadable", "the file \(quote(path)) cannot be read: \(reason)", at: nil)
  }

  static func isFolder(_ path: String, _ noun: String) -> Diagnostic {
    Diagnostic(
      "file-is-folder", "\(quote(path)) is a folder, not \(noun)", at: nil,
      notes: [
        "name a file in it, such as \(plain(path.hasSuffix("/") ? path : path + "/"))\(noun.split(separator: " ")[1]).yaml"
      ])
  }

  static func notRegular(_ path: String, _ noun: String) -> Diagnostic {
    Diagnostic("file-not-regular", "\(quote(path)) is a device or a pipe, not \(noun)", at: nil)
  }

  static func tooLarge(_ path: String, _ noun: String) -> Diagnostic {
    Diagnostic(
      "file-too-large", "the file \(quote(path)) is larger than 4 MB, the most \(noun) may be", at: nil)
  }

  static func emptyFile() -> Diagnostic {
    Diagnostic(
      "file-empty", "the file is empty", at: nil,
      notes: ["a graph file begins with visgraph: 1, then come nodes: and wires:"])
  }

  static func utf16() -> Diagnostic {
    Diagnostic("file-not-utf8", "the file is UTF-16", at: nil, notes: ["save it as UTF-8"])
  }

  static func notUTF8(at mark: Mark, byte: UInt8) -> Diagnostic {
    let hex = String(byte, radix: 16, uppercase: true)
    return Diagnostic(
      "file-not-utf8", "the byte 0x\(hex) is not UTF-8 here", at: mark, notes: ["save the file as UTF-8"])
  }

  static func unreadableCharacter(_ words: String, at mark: Mark) -> Diagnostic {
    Diagnostic(
      "yaml-syntax", "a control character stands here", at: mark, notes: ["remove it: \(words)"])
  }

  static func severalDocuments(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "several-documents", "a second document begins here, and a graph file is one document", at: mark,
      notes: ["remove the line ---, or make two files"])
  }

  static func tooDeep(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "too-deep", "this is nested more than \(Limits.depth) levels deep, the most a graph file may be",
      at: mark)
  }

  static func tooLong(at mark: Mark, most: Int) -> Diagnostic {
    most < Limits.events ? .filesTooLarge(at: mark) : .tooLong(at: mark)
  }

  static func tooLong(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "too-long", "the file holds more than \(Limits.events) keys and values, the most a graph file may",
      at: mark)
  }

  static func keyIsNotText(at mark: Mark) -> Diagnostic {
    Diagnostic("key-not-text", "a key must be text, not a list or a map", at: mark)
  }

  static func duplicateKey(_ name: String, at mark: Mark, firstLine: Int) -> Diagnostic {
    Diagnostic(
      "duplicate-key", "the key \(quote(name)) stands here a second time; the first is in line \(firstLine)",
      at: mark, notes: ["remove one of the two"])
  }

  static func alias(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "yaml-alias", "aliases (*name) are not taken in graph files", at: mark,
      notes: [
        "to start a node from another's settings write like: ID; to use a value twice, values: and ${NAME}"
      ])
  }

  static func anchor(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "yaml-anchor", "anchors (&name) are not taken in graph files", at: mark,
      notes: [
        "to start a node from another's settings write like: ID; to use a value twice, values: and ${NAME}"
      ])
  }

  static func tag(at mark: Mark) -> Diagnostic {
    Diagnostic(
      "yaml-tag", "tags (!name) are not taken in graph files", at: mark,
      notes: ["remove it; a text that begins with ! needs quotes"])
  }
}
