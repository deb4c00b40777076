import OSC
import Playback

/// What `/visgraph/status` is answered with: one message for each fact. [port]
enum StatusAnswer {
  /// The facts of the show, then those of every player, at most about `most` messages, and how many they were.
  static func messages(_ look: ShowLook, most: Int = 2000) -> [Message] {
    var result = ShowFact.all.flatMap { $0.messages(look, clocks: true) }
    for (id, player) in look.show.players {
      result += PlayerFact.messages(id, player.snapshot).filter { !$0.arguments.isEmpty }
      if result.count >= most { break }
    }
    return result + [Message("\(ShowFact.base)end", .int(Int32(clamping: result.count)))]
  }
}

extension Argument {
  /// A text that is sent: without zero bytes, where OSC would end it, and not longer than anybody reads.
  static func plain(_ text: String, most: Int = 1000) -> Argument {
    .string(String(text.replacing("\0", with: " ").prefix(most)))
  }
}
