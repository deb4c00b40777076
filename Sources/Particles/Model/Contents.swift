/// What a particle looks like.
public enum Contents: Hashable, Sendable {
  /// The built-in picture: a round white light of 32 points that fades to nothing at its edge.
  case soft
  /// Nothing: alive, emitting, and not to be seen. Apple's meaning of a cell without contents.
  case none
  /// A picture in a file, by its path.
  case file(String)

  /// Points across and down of the built-in picture, which has one pixel to a point.
  public static let softSize = 32
}
