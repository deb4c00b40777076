/// The channels of a port by name, looked up quickly however many there are; the first of equal names is meant.
final class ChannelNames {
  /// The channels.
  let channels: [Channel]
  private lazy var indexes = Dictionary(
    channels.enumerated().compactMap { index, channel in channel.name.map { ($0, index) } },
    uniquingKeysWith: { first, _ in first })

  init(_ channels: [Channel]) { self.channels = channels }

  /// The index of the channel of a name; nil where none has it.
  subscript(name: String) -> Int? { indexes[name] }
}
