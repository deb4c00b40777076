import OSC

/// The error message to a sender whose message is refused. [any]
enum ErrorAnswer {
  /// The most characters of the sentence.
  private static let most = 1500

  /// `/visgraph/error ADDRESS REASON` as a packet, counted in the budget. If the budget has no room for the whole
  /// sentence, its beginning; nil if there is no room at all.
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
    // OSC ends a text with one to four zero bytes.
    let room = budget.room - (packet("…")?.count ?? 0) - 3
    guard room >= 0, let part = packet(cut(sentence, toBytes: room) + "…"), budget.take(part.count) else {
      return nil
    }
    return part
  }

  /// The beginning of a text, of at most `most` bytes of UTF-8.
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
