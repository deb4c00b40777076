extension String {
  /// The shortest decimal that reads back as the same number.
  init(shortest number: Double) {
    let text = number.description
    self = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
