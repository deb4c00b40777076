/// Reads the elements of a particle file of Starling as keys such as cocos2d's property lists have. [control]
enum PexFile {
  /// The name of its outermost element.
  static let root = "particleEmitterConfig"

  /// Its keys: `speed value` is `speed`, `gravity x` is `gravityx`, `startColor red` is `startColorRed`.
  static func values(in root: XmlElement, called file: String) -> FileValues {
    var values = FileValues(file: file)
    for element in root.children {
      for attribute in element.attributes {
        values.add(
          key(element.name, attribute.name), .text(attribute.value),
          shown: attribute.name == "value" ? nil : "\(element.name) \(attribute.name)")
      }
      // An element that says nothing is still one that could not be carried over.
      if element.attributes.isEmpty { values.add(element.name, .text(element.text)) }
    }
    return values
  }

  private static func key(_ element: String, _ attribute: String) -> String {
    switch (element, attribute) {
    case (_, "value"): element
    case ("texture", "name"): "textureFileName"
    case ("texture", "data"): "textureImageData"
    case (_, "red"), (_, "green"), (_, "blue"), (_, "alpha"):
      element + attribute.prefix(1).uppercased() + attribute.dropFirst()
    default: element + attribute
    }
  }
}
