/// The mechanics and optics of a lamp, as far as its channels need them: `<Physical>`.
struct QlcPhysical {
  /// The travel of pan and of tilt, in degrees; 0: not given.
  private(set) var (pan, tilt) = (0.0, 0.0)
  /// The narrowest and the widest beam angle, in degrees; 0: not given.
  private(set) var beam = (least: 0.0, most: 0.0)

  /// Takes values that are not set yet. Notes a value of a mode that differs.
  mutating func add(_ element: XmlElement, _ draft: inout FixtureDraft) {
    for child in element.children {
      func number(_ name: String) -> Double {
        let number = child.value(name).flatMap { Double($0.replacing(",", with: ".")) } ?? 0
        return number.isFinite && (0...5000).contains(number) ? number : 0
      }
      func take(_ value: inout Double, _ new: Double, _ what: String) {
        if value == 0 { value = new }
        if new != 0, new != value {
          draft.note(.changed, what, "differs between modes; that of the first counts")
        }
      }
      switch child.name {
      case "Focus":
        take(&pan, number("PanMax"), "PanMax")
        take(&tilt, number("TiltMax"), "TiltMax")
      case "Lens":
        take(&beam.least, number("DegreesMin"), "DegreesMin")
        take(&beam.most, number("DegreesMax"), "DegreesMax")
      case "Bulb", "Dimensions", "Technical", "Layout":
        draft.note(.left, child.name, "visgraph has no use for it")
      default: draft.note(.left, "<\(child.name)>", "not known to visgraph")
      }
    }
  }
}
