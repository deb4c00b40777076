/// Whose layout files are read.
public enum LayoutFormat: String, Sendable, CaseIterable {
  /// A model of xLights.
  case xmodel
  /// A map of WLED.
  case ledmap
  /// Lines of x, y and z.
  case table

  /// What sentences call such a file.
  public var name: String {
    switch self {
    case .xmodel: "a model of xLights"
    case .ledmap: "a map of WLED"
    case .table: "a table of places"
    }
  }
}

/// The places of LEDs in a layout file, in the order of the wire. [control]
public struct LedLayout: Sendable {
  /// A place in the units of the file.
  public struct Place: Equatable, Sendable {
    /// To the right in tables and grids.
    public var x: Double
    /// Down in grids, and in tables as the table means it.
    public var y: Double
    /// Away from the viewer in grids, and in tables as the table means it.
    public var z = 0.0

    /// States a place.
    public init(_ x: Double, _ y: Double, _ z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
  }

  /// Whose file it is.
  public let format: LayoutFormat
  /// What the file calls it; empty where it has no name.
  public let name: String
  /// In the order of the wire; nil is a LED that the file gives no place.
  public let places: [Place?]
  /// The bytes of a LED in their order, such as `GRB`; nil where the file does not say.
  public let colors: String?
  /// Everything of the file that the places do not hold.
  public let notes: [ImportNote]

  /// The most bytes of such a file.
  public static let mostBytes = 4 << 20
}
