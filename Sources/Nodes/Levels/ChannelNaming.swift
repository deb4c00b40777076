import Graphs
import Playback

extension Shaping {
  /// Renames channels by a setting `names`; channels without an entry keep their names. More names than channels are
  /// a fault.
  func named(_ channels: [Channel], by names: [String]) -> [Channel] {
    if names.count > channels.count {
      report(
        "more-names-than-channels", "names",
        "\(names.count) names for \(channels.count) \(channels.count == 1 ? "channel" : "channels"); name fewer"
      )
    }
    return channels.enumerated().map { index, channel in
      let name = index < names.count && !names[index].isEmpty ? names[index] : channel.name
      return Channel(channel.number, name: name)
    }
  }

  /// Splits each channel into parts with names such as `Kick.bass`; with numbers where two parts would have one name.
  /// More channels than a wire has are a fault of the setting that gives the number of parts.
  func parts(of channels: [Channel], _ names: [String], _ kind: ChannelParts) -> [Channel] {
    if names.count * channels.count > Limits.channels {
      report(
        "too-many-\(kind.rawValue)", kind.setting,
        "\(names.count) \(kind.rawValue) of \(channels.count) channels are more than the \(Limits.channels) channels "
          + "of a wire")
      return channels
    }
    let isDouble = Set(names).count < names.count
    return channels.enumerated().flatMap { index, channel in
      names.enumerated().map { part, name in
        let name = isDouble ? "\(part + 1)" : name
        let prefix = channel.name ?? (channels.count > 1 ? "\(channel.number)" : nil)
        return Channel(index * names.count + part + 1, name: prefix.map { "\($0).\(name)" } ?? name)
      }
    }
  }
}

/// The parts into which a channel is split.
enum ChannelParts: String {
  case bands, points

  /// The setting that gives the number of parts.
  var setting: String { self == .bands ? "count" : "points" }
}

extension ValueKind {
  /// The kind of a setting `channels`: as many as a file may have.
  static let channelCount = number(
    .none, Double(AudioFormat.channelRange.lowerBound)...Double(AudioFormat.channelRange.upperBound),
    whole: true)

  /// The kind of a setting `names`: a list, or a single name.
  static func channelNames(most: Int = AudioFormat.channelRange.upperBound) -> ValueKind {
    .oneOf([.text(), .list(.text(), count: 0...most)])
  }
}

extension Channel {
  /// The common part of the names of channels: the words with which all begin, otherwise those with which all end. It
  /// is `OH` for `OH L` and `OH R`, `Tom` for `Tom1` and `Tom2`. Nil where there is none, or where a channel has no
  /// name.
  static func commonName(of channels: [Channel]) -> String? {
    let names = channels.compactMap(\.name)
    guard let first = names.first, names.count == channels.count else { return nil }
    if names.allSatisfy({ $0 == first }) { return first }
    let words = names.map { Self.words(of: $0) }
    var begin = words[0].count
    var end = begin
    for other in words.dropFirst() {
      begin = min(begin, zip(words[0], other).prefix { $0 == $1 }.count)
      end = min(end, zip(words[0].reversed(), other.reversed()).prefix { $0 == $1 }.count)
    }
    let beginning = text(words[0].prefix(begin))
    let ending = text(words[0].suffix(end))
    if beginning.contains(where: \.isLetter) { return beginning }
    // A single letter at the end is more likely a side than a name.
    return ending.count { $0.isLetter } > 1 ? ending : nil
  }

  /// Splits a name into runs of letters and runs of digits; other characters separate them.
  private static func words(of name: String) -> [Substring] {
    var words: [Substring] = []
    var rest = name[...]
    while let first = rest.first {
      let isSame = { (other: Character) in first.isNumber ? other.isNumber : other.isLetter }
      let word = rest.prefix(while: isSame)
      if !word.isEmpty { words.append(word) }
      rest = rest.dropFirst(max(1, word.count))
    }
    return words
  }

  /// The text of consecutive words of a name, with the characters between them.
  private static func text(_ words: ArraySlice<Substring>) -> String {
    guard let first = words.first, let last = words.last else { return "" }
    return String(first.base[first.startIndex..<last.endIndex])
  }
}
