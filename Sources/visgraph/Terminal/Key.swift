/// A key that was pressed.
enum Key: Equatable, Sendable {
  /// A character, as typed.
  case character(Character)
  /// Control and a small letter.
  case control(Character)
  /// The arrows.
  case up, down, left, right
  /// The keys that move by more.
  case home, end, pageUp, pageDown
  /// The keys that end and mend what was typed.
  case enter, escape, tab, backspace, delete
}
