package import OSC
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

extension ShowAnswer {
  /// Sorts the messages of an answer; others are left out.
  package init(_ messages: [Message]) {
    self.init()
    for message in messages where message.address.hasPrefix(ShowFact.base) {
      let parts = message.address.dropFirst(ShowFact.base.count).split(separator: "/").map(String.init)
      if parts.count == 3, parts[0] == "node" {
        if players.last?.id != parts[1] { players.append((parts[1], [])) }
        players[players.count - 1].facts.append((parts[2], message.arguments))
      } else {
        take(message)
      }
    }
  }

  private mutating func take(_ message: Message) {
    for fact in ShowFact.all where fact.takes(arguments: message.arguments.count) {
      guard let parts = fact.parts(of: message.address) else { continue }
      return add(Item(parts: parts, arguments: message.arguments), to: fact.name)
    }
    // A later version may say more of a show.
    let name = String(message.address.dropFirst(ShowFact.base.count))
    guard message.arguments.count == 1, name != "end", !name.contains("/") else { return }
    add(Item(arguments: message.arguments), to: name)
  }

  /// What people read, sorted as they are to read it.
  package var lines: [ShowLine] {
    // Facts of one section stand in the order of their declarations.
    ShowLine.Section.allCases.flatMap { section in
      ShowFact.all.filter { $0.section == section }.flatMap { $0.lines(self) }
    }
  }
}

extension Argument {
  /// A text that is sent: without zero bytes, where OSC would end it, and of a length that can be read.
  static func plain(_ text: String, most: Int = 1000) -> Argument {
    .string(String(text.replacing("\0", with: " ").prefix(most)))
  }
}
