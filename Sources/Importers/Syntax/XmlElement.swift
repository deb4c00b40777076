/// An element of an XML file, with what is inside it.
final class XmlElement {
  /// Its name.
  let name: String
  /// Its attributes.
  let attributes: [(name: String, value: String)]
  /// The line it begins in, from 1.
  let line: Int
  /// What is inside it, in order.
  var children: [XmlElement] = []
  /// Its own text, without that of its children.
  var bytes: [UInt8] = []

  init(name: String, attributes: [(name: String, value: String)], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Its own text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
