/// Whose particle files are read.
public enum ParticleFormat: String, Sendable, CaseIterable {
  /// cocos2d's property lists, which Particle Designer writes.
  case plist
  /// Starling's XML.
  case pex
  /// UIEffectDesigner's JSON.
  case ped

  /// What sentences call such a file.
  public var name: String {
    switch self {
    case .plist: "a property list of cocos2d and Particle Designer"
    case .pex: "a particle file of Starling"
    case .ped: "an effect of UIEffectDesigner"
    }
  }

  /// The program whose way of reading is followed.
  var program: String {
    switch self {
    case .plist: "cocos2d"
    case .pex: "Starling"
    case .ped: "UIEffectDesigner"
    }
  }
}
