extension ListFault {
  /// The whole sentence: where, what, what to do; without a full stop.
  public var message: String {
    let place = list.map { line == nil ? "\($0): " : "\($0):\(line ?? 0): " } ?? ""
    return place + "\(what): \(remedy)"
  }

  private var what: String {
    let why = reason.isEmpty ? "" : " (\(reason))"
    switch code {
    case .missing: return "there is no file or folder '\(path)'"
    case .unreadable: return "'\(path)' cannot be opened\(why)"
    case .notAFile: return "'\(path)' is a device or a pipe, not an audio file"
    case .remote: return "'\(path)' lies in a network"
    case .name: return "'\(path)' cannot be the name of a file\(why)"
    case .outside: return "'\(path)' is a link to another place"
    case .empty: return "'\(path)' has no audio files"
    case .line: return "'\(path)' is no line of such a list\(why)"
    case .format: return "'\(path)' is a broken list\(why)"
    case .hostile: return "'\(path)' is not read\(why)"
    case .tooLarge: return "'\(path)' is too large\(why)"
    case .cycle: return "'\(path)' is a list that comes back to itself"
    case .depth: return "'\(path)' lies too deep\(why)"
    case .tooMany: return "'\(path)' has more than is taken\(why)"
    case .more: return "\(reason) more faults are not told"
    }
  }

  private var remedy: String {
    switch code {
    case .missing:
      list == nil ? "check the spelling" : "check the list; a path is relative to the folder of the list"
    case .unreadable: "check its permissions and those of its folders"
    case .notAFile: "name a regular file"
    case .remote: "only files are played; download it first"
    case .name: "rename the file in UTF-8, or mend the list"
    case .outside: "it is left out; files are taken from the graph's folder and below"
    case .empty: "name a folder with music in it, or the files themselves"
    case .line: "it is left out"
    case .format: "what comes before is played; save the list again"
    case .hostile: "save the list again with another program"
    case .tooLarge: "divide the list"
    case .cycle: "it is played once"
    case .depth: "name the folder or the list itself"
    case .tooMany: "the rest is left out; name folders further down"
    case .more: "mend these first"
    }
  }
}
