/// The formats of layout files.
public enum LayoutFormat: String, Sendable, CaseIterable {
  /// A model of xLights.
  case xmodel
  /// A map of WLED.
  case ledmap
  /// Lines of x, y and z.
  case table

  /// The name of the format in messages.
  public var name: String {
    switch self {
    case .xmodel: "a model of xLights"
    case .ledmap: "a map of WLED"
    case .table: "a table of places"
    }
  }
}

/// The positions of LEDs in a layout file, in the order of the wire. [control]
public struct LedLayout: Sendable {
  /// A position in the units of the file.
  public struct Place: Equatable, Sendable {
    /// The x coordinate: to the right in tables and grids.
    public var x: Double
    /// The y coordinate: down in grids; the direction in tables is up to the table.
    public var y: Double
    /// The z coordinate: away from the viewer in grids; the direction in tables is up to the table.
    public var z = 0.0

    /// Makes a position.
    public init(_ x: Double, _ y: Double, _ z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }
  }

  /// The format that was read.
  public let format: LayoutFormat
  /// The name in the file; empty: none.
  public let name: String
  /// The positions in the order of the wire; nil for a LED without one.
  public let places: [Place?]
  /// The order of the bytes of a LED, such as `GRB`; nil: not given.
  public let colors: String?
  /// The losses and changes of the conversion.
  public let notes: [ImportNote]

  /// The most bytes of a layout file.
  public static let mostBytes = 4 << 20
}
