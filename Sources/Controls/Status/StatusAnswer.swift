package import OSC
import Playback

/// The answer to `/visgraph/status`: one message for each fact. [port]
enum StatusAnswer {
  /// The facts of the show, then those of its players up to about `most` messages, then their number.
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
  /// Groups the messages of an answer; ignores other messages.
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
    // Keeps facts of a later version, which this one does not know.
    let name = String(message.address.dropFirst(ShowFact.base.count))
    guard message.arguments.count == 1, name != "end", !name.contains("/") else { return }
    add(Item(arguments: message.arguments), to: name)
  }

  /// The lines of `visgraph status`, in their order.
  package var lines: [ShowLine] {
    // Facts of one section stand in the order of their declarations.
    ShowLine.Section.allCases.flatMap { section in
      ShowFact.all.filter { $0.section == section }.flatMap { $0.lines(self) }
    }
  }
}

extension Argument {
  /// A text for sending: without zero bytes, which would end it in OSC, and of at most `most` characters.
  static func plain(_ text: String, most: Int = 1000) -> Argument {
    .string(String(text.replacing("\0", with: " ").prefix(most)))
  }
}
