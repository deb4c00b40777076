/// What a lamp is as a body, as far as its channels ask for it.
struct QlcPhysical {
  /// Travels of pan and tilt in degrees.
  private(set) var (pan, tilt) = (0.0, 0.0)
  /// The angles of the narrowest and of the widest beam, in degrees.
  private(set) var beam = (least: 0.0, most: 0.0)

  /// Takes what a description has and none before; what modes say differently is noted.
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
