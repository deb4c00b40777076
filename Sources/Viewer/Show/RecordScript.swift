import Particles

/// The records that pages read, and those that the playground makes, as scripts: Sources/CPages/pages/records.js and
/// tools/play.d/play-records.js are generated from the walks by which the program reads and writes them. The code is
/// straight, with constant offsets where no field varies in length. [any]
public enum RecordScript {
  /// A record as pages know it.
  private struct Record {
    let name: String
    let fields: [FieldList.Field]
    /// Whether pages read it, and whether the playground writes it.
    let (isRead, isWritten): (Bool, Bool)

    init(
      _ name: String, isRead: Bool = true, isWritten: Bool = false, _ walk: (inout FieldList) -> Void
    ) {
      (self.name, self.isRead, self.isWritten) = (name, isRead, isWritten)
      fields = FieldList.fields(walk)
    }

    /// Bytes of the fields before those of varying length; nil where such a field is not the last one.
    var size: Int? {
      var size = 0
      for (index, field) in fields.enumerated() {
        if case .rest = field.kind, index == fields.count - 1 { return size }
        guard let bytes = field.kind.size else { return nil }
        size += bytes
      }
      return size
    }
  }

  private static var records: [Record] {
    [
      Record("Head") {
        var head = RecordHead(); head.code(&$0)
      },
      Record("Stage", isWritten: true) {
        var stage = StageDescription(); stage.code(&$0)
      },
      Record("State", isRead: false, isWritten: true) {
        var head = StateHead(); head.code(&$0)
      },
      Record("Frame", isWritten: true) {
        var head = FrameHead(); head.code(&$0)
      },
      Record("NumberPlaces", isRead: false, isWritten: true) {
        var list = NumberPlaces(); list.code(&$0)
      },
      Record("NumberChanges", isRead: false, isWritten: true) {
        var list = NumberChanges(); list.code(&$0)
      },
      Record("Brightness") {
        var body = FrameBrightness(); body.code(&$0)
      },
      Record("Samples") {
        var head = SamplesHead(); head.code(&$0)
      },
      Record("LedPlaces") {
        var head = LedPlacesHead(); head.code(&$0)
      },
      Record("Faders") {
        var body = Faders(); body.code(&$0)
      },
      Record("Batch") {
        var batch = SpriteBatch(); batch.code(&$0)
      },
      Record("Material") {
        var material = SpriteMaterial(); material.code(&$0)
      },
    ]
  }

  // MARK: - Readers

  /// What `tools/generate` writes into records.js.
  public static var readers: String {
    let read = records.filter(\.isRead)
    let sizes = read.compactMap { record in record.size.map { "\(record.name.lowercasedFirst): \($0)" } }
    return """
      // Written by tools/generate from the records of the program (RecordScript); do not edit.

      /** Bytes of records: of all their fields, or of those before a list of numbers. */
      export const Size = { \(sizes.joined(separator: ", ")) };

      /** A view of bytes, such as the body of a record, for the readers below. @param {Uint8Array} bytes */
      export const fieldsOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

      // Readers of records at a place of a view. They return null if the view ends before the fields, or within a
      // number of the list behind them.

      \(read.map(reader).joined(separator: "\n"))
      """
  }

  private static func type(of fields: [FieldList.Field]) -> String {
    "{" + fields.map { "\($0.name): \(type(of: $0.kind))" }.joined(separator: ", ") + "}"
  }

  private static func type(of kind: FieldList.Kind) -> String {
    switch kind {
    case .integer(bits: 64, isSigned: false): "bigint"
    case .integer, .float: "number"
    case .flag: "boolean"
    case .text: "string"
    case .list(let fields): type(of: fields) + "[]"
    case .rest(let number): array(of: number)
    }
  }

  private static func array(of kind: FieldList.Kind) -> String {
    switch kind {
    case .integer(bits: 8, _): "Uint8Array"
    case .integer: "Uint16Array"
    default: "Float32Array"
    }
  }

  private static func reader(_ record: Record) -> String {
    let name = record.name
    let head = "/** @typedef {\(type(of: record.fields))} \(name) */\n"
    guard let size = record.size else {
      return head + """
        /** @param {import("./stage-stream.js").Reader} reader @returns {\(name)} */
        export function read\(name)(reader) {
          return { \(record.fields.map { "\($0.name): \(next($0.kind))" }.joined(separator: ", ")) };
        }

        """
    }
    var (offset, values, unit) = (0, [String](), 1)
    for field in record.fields {
      if case .rest(let number) = field.kind {
        unit = number.size ?? 1
        let count = "(view.byteLength - at - \(offset)) / \(unit)"
        values.append(
          "\(field.name): new \(array(of: number))(view.buffer, view.byteOffset + at + \(offset), \(count))"
        )
      } else {
        values.append("\(field.name): \(value(field.kind, at: offset))")
        offset += field.kind.size ?? 0
      }
    }
    var tests = ["view.byteLength - at < \(size)"]
    if unit > 1 { tests.append("(view.byteLength - at - \(size)) % \(unit) !== 0") }
    return head + """
      /** @param {DataView} view @param {number} at @returns {\(name)|null} */
      export function read\(name)(view, at = 0) {
        if (\(tests.joined(separator: " || "))) return null;
        return { \(values.joined(separator: ", ")) };
      }

      """
  }

  /// The expression for a field at a fixed offset from `at` in `view`.
  private static func value(_ kind: FieldList.Kind, at offset: Int) -> String {
    let place = offset > 0 ? "at + \(offset)" : "at"
    switch kind {
    case .integer(bits: 8, let isSigned): return "view.get\(isSigned ? "Int" : "Uint")8(\(place))"
    case .integer(bits: 64, isSigned: true): return "Number(view.getBigInt64(\(place), true))"
    case .integer(bits: 64, isSigned: false): return "view.getBigUint64(\(place), true)"
    case .integer(let bits, let isSigned):
      return "view.get\(isSigned ? "Int" : "Uint")\(bits)(\(place), true)"
    case .float(let bits): return "view.getFloat\(bits)(\(place), true)"
    case .flag: return "view.getUint8(\(place)) !== 0"
    case .text, .list, .rest: preconditionFailure("has no fixed size")
    }
  }

  /// The expression for the next field of `reader`.
  private static func next(_ kind: FieldList.Kind) -> String {
    switch kind {
    case .flag: "reader.u8() !== 0"
    case .list(let fields):
      "Array.from({ length: reader.u16() }, () => ({ "
        + fields.map { "\($0.name): \(next($0.kind))" }.joined(separator: ", ") + " }))"
    default: "reader.\(method(kind))()"
    }
  }

  /// The method of the page's `Reader` and `Writer` for a value.
  private static func method(_ kind: FieldList.Kind) -> String {
    switch kind {
    case .integer(let bits, let isSigned): "\(isSigned ? "i" : "u")\(bits)"
    case .float(let bits): "f\(bits)"
    case .flag: "u8"
    case .text: "text"
    case .list, .rest: preconditionFailure("has no method")
    }
  }

  // MARK: - Writers

  /// What `tools/generate` writes into play-records.js.
  public static var writers: String {
    """
    // Written by tools/generate from the records of the program (RecordScript); do not edit.

    \(records.filter(\.isWritten).map(writer).joined(separator: "\n"))
    """
  }

  private static func writer(_ record: Record) -> String {
    """
    /** @param {import("./play-writer.js").Writer} writer @param {\(type(of: record.fields))} record */
    export function write\(record.name)(writer, record) {
    \(record.fields.map { line($0, of: "record") }.joined(separator: "\n"))
    }

    """
  }

  private static func line(_ field: FieldList.Field, of owner: String) -> String {
    let value = "\(owner).\(field.name)"
    switch field.kind {
    case .flag: return "  writer.u8(\(value) ? 1 : 0);"
    case .list(let fields):
      let lines = fields.map { "  " + line($0, of: "one") }.joined(separator: "\n")
      return "  writer.u16(\(value).length);\n  for (const one of \(value)) {\n\(lines)\n  }"
    default: return "  writer.\(method(field.kind))(\(value));"
    }
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
