import ArgumentParser
import Glibc
import Graphs

/// A first word of the command line that is no command. [control]
struct UnknownCommand {
  /// What is wrong, and what was probably meant.
  let sentence: String

  /// Nil where the word is one of the commands, or an option.
  init?(_ word: String, among commands: [String]) {
    guard !word.hasPrefix("-"), !commands.contains(word) else { return nil }
    var status = stat()
    let shown = DisplayedText.safe(word)
    if let file = MistakenFile(word) {
      sentence = "\(shown) is \(file.noun), and a command comes first: \(file.command)"
    } else if stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      sentence = "\(shown) is a folder, and a command comes first: visgraph play \(ShellWord.quoted(word))"
    } else {
      let meant = nearestWord(to: word, among: commands).map { "; did you mean \($0)?" } ?? ""
      sentence = "there is no command \(shown)\(meant) (commands: \(commands.joined(separator: ", ")))"
    }
  }
}
