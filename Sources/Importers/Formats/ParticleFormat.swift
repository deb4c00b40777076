import System

/// The formats of particle files of other programs.
public enum ParticleFormat: String, Sendable, CaseIterable {
  /// cocos2d's property lists, which Particle Designer writes.
  case plist
  /// Starling's XML.
  case pex
  /// UIEffectDesigner's JSON.
  case ped

  /// The name of the format in messages.
  public var name: String {
    switch self {
    case .plist: "a property list of cocos2d and Particle Designer"
    case .pex: "a particle file of Starling"
    case .ped: "an effect of UIEffectDesigner"
    }
  }

  /// The program whose behavior is followed.
  var program: String {
    switch self {
    case .plist: "cocos2d"
    case .pex: "Starling"
    case .ped: "UIEffectDesigner"
    }
  }
}

/// Reads an effect of UIEffectDesigner, in JSON. [control]
enum PedFile {
  /// The keys of the file. Throws where it is not JSON, not an object, or too large.
  static func values(in bytes: [UInt8], called file: String) throws(ImportError) -> FileValues {
    // Every value needs one of these characters, and base64 has none: their number limits what the reader allocates.
    var marks = 0
    for byte in bytes
    where byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      marks += 1
    }
    guard marks <= FileValues.most else {
      throw ImportError("hostile-json", "\(file): has more than \(FileValues.most) values")
    }
    guard let pairs = JsonReader.object(in: bytes, of: FileValue.self) else {
      throw ImportError("broken-json", "\(file): is broken JSON, or no object of effect settings")
    }
    var values = FileValues(file: file)
    for (key, value) in pairs { values.add(key, value) }
    return values
  }
}

/// Reads the elements of a Starling particle file under the keys of cocos2d's property lists. [control]
enum PexFile {
  /// The name of the root element.
  static let root = "particleEmitterConfig"

  /// The keys of the file: `speed value` is `speed`, `gravity x` is `gravityx`, `startColor red` is `startColorRed`.
  static func values(in root: XmlElement, called file: String) -> FileValues {
    var values = FileValues(file: file)
    for element in root.children {
      for attribute in element.attributes {
        values.add(
          key(element.name, attribute.name), .text(attribute.value),
          shown: attribute.name == "value" ? nil : "\(element.name) \(attribute.name)")
      }
      // An element without attributes is kept, so that a note names it.
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
