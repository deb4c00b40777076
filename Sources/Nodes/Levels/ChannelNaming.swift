import Graphs
import Playback

extension Shaping {
  /// Channels with the names that a setting `names` gives; where it gives none they are called as they were. More names
  /// than channels are a fault.
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

  /// The channels that each of some becomes where it is taken apart, named such as `Kick.bass`; numbered where two parts
  /// would have one name. More of them than a wire has are a fault of the setting that says how many.
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

/// What a channel is taken apart into.
enum ChannelParts: String {
  case bands, points

  /// The setting that says how many.
  var setting: String { self == .bands ? "count" : "points" }
}

extension ValueKind {
  /// How many channels a node may have, as many as a file: what a setting `channels` takes.
  static let channelCount = number(
    .none, Double(AudioFormat.channelRange.lowerBound)...Double(AudioFormat.channelRange.upperBound),
    whole: true)

  /// What a setting `names` takes: a list, or a single name as it is.
  static func channelNames(most: Int = AudioFormat.channelRange.upperBound) -> ValueKind {
    .oneOf([.text(), .list(.text(), count: 0...most)])
  }
}

extension Channel {
  /// What the names of channels have in common: the words that all of them begin with, else those that all end with, such
  /// as `OH` of `OH L` and `OH R`, `Tom` of `Tom1` and `Tom2`. Nil where there is no such word, or one has no name.
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
    // A single letter behind is rather a side than a name.
    return ending.count { $0.isLetter } > 1 ? ending : nil
  }

  /// Runs of letters and runs of figures; what stands between them states nothing.
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

  /// Words that follow each other in a name, with what stands between them.
  private static func text(_ words: ArraySlice<Substring>) -> String {
    guard let first = words.first, let last = words.last else { return "" }
    return String(first.base[first.startIndex..<last.endIndex])
  }
}
