public import Graphs
public import Particles

extension Size: FieldRecord, FieldValue {
  /// What sentences call it.
  public static let recordName = "size"
  /// Its fields, in the order of the docs.
  public static let fields: [Field<Size>] = [
    Field(
      "width", \.width, NumberProperty<Layer>.named("size.width").kind,
      "The width; the radius of a circle or sphere."),
    Field("height", \.height, NumberProperty<Layer>.named("size.height").kind, "The height."),
  ]
  /// Nothing.
  public init() { self.init(width: 0, height: 0) }
}

extension UnitRect: FieldRecord, FieldValue {
  /// What sentences call it.
  public static let recordName = "part of a picture"
  /// Its fields, in the order of the docs.
  public static let fields: [Field<UnitRect>] = [
    Field("x", \.x, NumberProperty<Cell>.named("contentsRect.x").kind, "The left edge."),
    Field("y", \.y, NumberProperty<Cell>.named("contentsRect.y").kind, "The top edge."),
    Field("width", \.width, NumberProperty<Cell>.named("contentsRect.width").kind, "The width."),
    Field("height", \.height, NumberProperty<Cell>.named("contentsRect.height").kind, "The height."),
  ]
  /// The whole picture.
  public init() { self.init(x: 0, y: 0, width: 1, height: 1) }
}
