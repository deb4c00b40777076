import FoundationEssentials

/// Reads the JSON of an effect of UIEffectDesigner. [control]
enum PedFile {
  /// Its keys. Throws where it is not JSON, no object, or beyond all measure.
  static func values(in bytes: [UInt8], called file: String) throws(ImportFault) -> FileValues {
    // Every value takes one of these, and a texture in base64 has none: a count says how much the reader would make.
    var marks = 0
    for byte in bytes
    where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      marks += 1
    }
    guard marks <= FileValues.most else {
      throw ImportFault("hostile-json", "\(file): has more than \(FileValues.most) values")
    }
    let object: [String: DecodedValue]
    do {
      object = try JSONDecoder().decode([String: DecodedValue].self, from: Data(bytes))
    } catch {
      throw ImportFault("broken-json", "\(file): is broken JSON, or no object of effect settings")
    }
    var values = FileValues(file: file)
    for key in object.keys.sorted() { values.add(key, object[key]?.value ?? .nothing) }
    return values
  }
}
