/// Words of commands to type.
enum ShellQuoting {
  /// The word as a shell takes it: in quotes where it must be.
  static func quoted(_ word: String) -> String {
    let text = DisplayedText.safe(word)
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-:./+,@%".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty
      ? text
      : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
