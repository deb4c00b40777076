enum ShellQuoting {
  /// The word as a POSIX shell reads it, quoted if necessary.
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
