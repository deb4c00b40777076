/// Reads the dictionary of a property list in XML. [control]
///
/// The XML is read by expat: Foundation's reader crashes on lists nested 100,000 levels deep.
enum PropertyListFile {
  /// The keys of the dictionary in an element `plist`. Throws where there is none.
  static func values(in root: XmlElement, called file: String) throws(ImportError) -> FileValues {
    guard root.name == "plist", let dictionary = root.children.first, dictionary.name == "dict" else {
      throw ImportError("no-dictionary", "\(file): holds no dictionary of particle settings")
    }
    var values = FileValues(file: file)
    var key: String?
    for element in dictionary.children {
      if element.name == "key" {
        key = element.text
        continue
      }
      guard let name = key else {
        throw ImportError("broken-plist", "\(file):\(element.line): a value without a key")
      }
      values.add(name, try value(element, name, file))
      key = nil
    }
    if let key {
      throw ImportError("broken-plist", "\(file): \(FileText.shown(key)) has no value")
    }
    return values
  }

  private static func value(
    _ element: XmlElement, _ key: String, _ file: String
  ) throws(ImportError) -> FileValue {
    switch element.name {
    case "string": return .text(element.text)
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "real", "integer":
      // Kept as text, so that an error about an invalid number names the key.
      return .text(element.text)
    case "data":
      guard let bytes = Base64.bytes(element.bytes) else {
        throw ImportError("broken-base64", "\(file): \(FileText.shown(key)) holds data that is not base64")
      }
      return .data(bytes)
    case "array": return .other("a list")
    case "dict": return .other("a dictionary")
    case "date": return .other("a date")
    default:
      throw ImportError(
        "broken-plist",
        "\(file):\(element.line): property lists have no element <\(FileText.shown(element.name))>")
    }
  }
}
