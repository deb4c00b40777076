import OSC

/// The answer to a sender whose message is refused. [any]
enum ErrorAnswer {
  /// The most characters of the sentence.
  private static let most = 1500

  /// `/visgraph/error ADDRESS REASON` as a packet, counted in an budget; where that leaves no room for the whole sentence,
  /// the beginning of it, and nil where it leaves none at all.
  static func packet(about address: String, _ fault: ControlError, _ budget: AnswerBudget?) -> [UInt8]? {
    func packet(_ sentence: String) -> [UInt8]? {
      let reason = Argument.plain("\(sentence) [\(fault.code)]", most: .max)
      return try? Message("/visgraph/error", .plain(address, most: CommandReader.addressLimit), reason)
        .packet()
    }
    let sentence = String(fault.description.prefix(most))
    guard let whole = packet(sentence) else { return nil }
    guard let budget else { return whole }
    if budget.take(whole.count) { return whole }
    // A text ends in one to four bytes 0.
    let room = budget.room - (packet("…")?.count ?? 0) - 3
    guard room >= 0, let part = packet(cut(sentence, toBytes: room) + "…"), budget.take(part.count) else {
      return nil
    }
    return part
  }

  /// The beginning of a text, of so many bytes of UTF-8 at the most.
  private static func cut(_ text: String, toBytes most: Int) -> String {
    var (beginning, count) = ("", 0)
    for character in text {
      count += character.utf8.count
      if count > most { break }
      beginning.append(character)
    }
    return beginning
  }
}
