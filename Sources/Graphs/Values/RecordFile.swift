import System

/// A file that the program writes for itself: the fields of one record, a line each, between a line that says what it is and
/// the end mark of YAML. [control]
public enum RecordFile {
  /// The most bytes of such a file.
  public static let most = 1 << 20

  /// The text of a record; `version` is the first key.
  public static func text<Record: FieldRecord>(_ record: Record, version: String) -> String {
    let defaults = Record()
    let lines = Record.fields.compactMap { field -> String? in
      let text = field.written(record)
      return text == field.written(defaults) ? nil : "\(field.name): \(text)\n"
    }
    return "\(version): 1\n\(lines.joined())...\n"
  }

  /// Reads it back; why not in a word or two: the file is torn, or of another program. `path` is what messages call it.
  public static func record<Record: FieldRecord>(
    _ type: Record.Type, version: String, of bytes: [UInt8], called path: String
  ) -> Result<Record, Diagnostic> {
    guard bytes.isEmpty || bytes.starts(with: Array("\(version):".utf8)) else {
      return .failure(Diagnostic("foreign-file", "\(quote(path)) is no file of this kind", at: nil))
    }
    // One that was cut off has not got its last line.
    guard bytes.suffix(5).elementsEqual(Array("\n...\n".utf8)) else {
      return .failure(Diagnostic("torn-file", "\(quote(path)) is not whole", at: nil))
    }
    let (tree, faults) = Composer.compose(SourceText(path: path, bytes: Array(bytes.dropLast(4))))
    if let fault = faults.first { return .failure(fault) }
    guard let pairs = tree?.map, let own = pairs.first(where: { $0.key.text == version })?.value.text else {
      return .failure(Diagnostic("foreign-file", "\(quote(path)) is no file of this kind", at: nil))
    }
    guard own == "1" else {
      return .failure(Diagnostic("newer-version", "\(quote(path)) was written by a newer visgraph", at: nil))
    }
    let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
    var record = Record()
    record.read(pairs, in: Record.recordName, also: [version], context)
    return context.diagnostics.first.map { .failure($0) } ?? .success(record)
  }
}
