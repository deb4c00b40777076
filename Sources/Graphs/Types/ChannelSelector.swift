/// A selector of channels: numbers, ranges and names in `[ ]` behind a port, or before the colon in `each:`.
struct ChannelSelector {
  enum Part {
    case range(Int, Int)
    case name(String)
  }

  let parts: [Part]
  let mark: SourceRange

  init(_ text: String, at mark: SourceRange) {
    parts = text.utf8.split(
      separator: 0x2C, maxSplits: Limits.selectorParts, omittingEmptySubsequences: false
    )
    .map { Self.part(trimmed(Substring($0))) }
    self.mark = mark
  }

  private static func part(_ text: Substring) -> Part {
    if let number = number(text) { return .range(number, number) }
    if let dash = text.utf8.firstIndex(of: 0x2D) {
      let low = number(trimmed(text[..<dash]))
      let high = number(trimmed(text[text.utf8.index(after: dash)...]))
      if let low, let high { return .range(low, high) }
    }
    return .name(String(text))
  }

  /// Parses a number. One that overflows becomes `Int.max`, which is beyond the channels of any port, too.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return Int(text) ?? Int.max
  }

  /// The indexes of the selected channels, in the order written. `owner` names their port in faults; `suggesting`:
  /// whether a fault suggests a name.
  func indexes(
    among names: ChannelNames, of owner: String, suggesting: Bool = true
  ) -> Result<[Int], Diagnostic> {
    if parts.count > Limits.selectorParts { return .failure(.longSelector(at: mark)) }
    let channels = names.channels
    var result: [Int] = []
    for part in parts {
      switch part {
      case .range(let low, let high):
        if let fault = fault(low, high, of: owner, most: channels.count) { return .failure(fault) }
        result += (low - 1)..<high
      case .name(let name):
        guard let index = names[name] else {
          return .failure(
            .unknownChannel(name, of: owner, channels, at: mark, suggesting: suggesting))
        }
        result.append(index)
      }
      if result.count > Limits.channels { return .failure(.tooManyChannels(owner, at: mark)) }
    }
    return .success(result)
  }

  /// The indexes of places at an input whose channels have no names yet: numbers and ranges only.
  func places(at port: String) -> Result<[Int], Diagnostic> {
    if parts.count > Limits.selectorParts { return .failure(.longSelector(at: mark)) }
    var result: [Int] = []
    for part in parts {
      guard case .range(let low, let high) = part else { return .failure(.targetByName(port, at: mark)) }
      if let fault = fault(low, high, of: port, most: nil) { return .failure(fault) }
      if high > Limits.channels { return .failure(.tooManyChannels(port, at: mark)) }
      result += (low - 1)..<high
      if result.count > Limits.channels { return .failure(.tooManyChannels(port, at: mark)) }
    }
    return .success(result)
  }

  private func fault(_ low: Int, _ high: Int, of owner: String, most: Int?) -> Diagnostic? {
    if low == 0 || high == 0 { return .channelZero(at: mark) }
    if low > high { return .reversedRange(low, high, at: mark) }
    if let most, high > most { return .noSuchChannel(high, of: owner, count: most, at: mark) }
    return nil
  }
}

/// The channels of a port, with a dictionary from names to indexes. Of equal names the first counts.
final class ChannelNames {
  let channels: [Channel]
  private lazy var indexes = Dictionary(
    channels.enumerated().compactMap { index, channel in channel.name.map { ($0, index) } },
    uniquingKeysWith: { first, _ in first })

  init(_ channels: [Channel]) { self.channels = channels }

  /// The index of the channel with this name.
  subscript(name: String) -> Int? { indexes[name] }
}
