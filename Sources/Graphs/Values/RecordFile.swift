import System

/// A file that the program writes and reads itself: a line with its format, the fields of one record, a line each, and
/// YAML's end mark `...`. [control]
public enum RecordFile {
  /// Largest size, in bytes.
  public static let most = 1 << 20

  /// The text of a record. `version` is the first key, with the value 1.
  public static func text<Record: FieldRecord>(_ record: Record, version: String) -> String {
    let defaults = Record()
    let lines = Record.fields.compactMap { field -> String? in
      let text = field.written(record)
      return text == field.written(defaults) ? nil : "\(field.name): \(text)\n"
    }
    return "\(version): 1\n\(lines.joined())...\n"
  }

  private static func foreign(_ path: String, _ version: String) -> Diagnostic {
    Diagnostic(
      "foreign-file", "\(quote(path)) is another kind of file: it does not begin with \(version): 1", at: nil)
  }

  /// Parses such a file; the failure says whether it is truncated, of another program or of a newer version. `path` is
  /// its name in messages.
  public static func record<Record: FieldRecord>(
    _ type: Record.Type, version: String, of bytes: [UInt8], called path: String
  ) -> Result<Record, Diagnostic> {
    guard bytes.isEmpty || bytes.starts(with: Array("\(version):".utf8)) else {
      return .failure(foreign(path, version))
    }
    // A truncated file lacks its end mark.
    guard bytes.suffix(5).elementsEqual(Array("\n...\n".utf8)) else {
      return .failure(Diagnostic("torn-file", "\(quote(path)) is truncated", at: nil))
    }
    let (tree, faults) = Composer.compose(SourceText(path: path, bytes: Array(bytes.dropLast(4))))
    if let fault = faults.first { return .failure(fault) }
    guard let pairs = tree?.map, let own = pairs.first(where: { $0.key.text == version })?.value.text else {
      return .failure(foreign(path, version))
    }
    guard own == "1" else {
      return .failure(
        Diagnostic("newer-version", "\(quote(path)) was written by a newer version of visgraph", at: nil))
    }
    let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
    var record = Record()
    record.read(pairs, in: Record.recordName, also: [version], context)
    return context.diagnostics.first.map { .failure($0) } ?? .success(record)
  }
}
