/// Which columns a list of sources has, and how wide they are; 0 where there is none.
struct SourceColumns: Equatable {
  var id = 0
  var number = 1
  var name = 0
  var feed = 0
  var bar = 10
  var hasPeak = true

  /// `-12.4 dB`
  static var level: Int { 8 }
  /// `  peak -12.4`
  static var peak: Int { 12 }

  /// Shares `total` columns. The widths given are what the texts would like.
  init(total: Int, id: Int, number: Int, name: Int, feed: Int) {
    self.id = id
    self.number = number
    self.name = min(name, 20)
    self.feed = min(feed, 60)
    func missing(_ columns: SourceColumns) -> Int { columns.width - total }
    // In this order things get narrower or go: feed, peak, feed again, name, bar.
    func shrink(_ path: WritableKeyPath<SourceColumns, Int>, to least: Int) {
      let excess = missing(self)
      guard excess > 0, self[keyPath: path] > least else { return }
      self[keyPath: path] = max(least, self[keyPath: path] - excess)
    }
    shrink(\.feed, to: 16)
    shrink(\.name, to: 12)
    if missing(self) > 0 { hasPeak = false }
    shrink(\.feed, to: 10)
    if missing(self) > 0 { self.feed = 0 }
    shrink(\.name, to: 6)
    shrink(\.bar, to: 4)
    if missing(self) > 0 { self.name = 0 }
    shrink(\.bar, to: 0)
    bar = min(max(bar, bar - missing(self)), max(bar, 64))
  }

  /// Where the feed begins.
  var feedStart: Int {
    ScreenText.margin + (id > 0 ? id + 1 : 0) + number + 1 + (name > 0 ? name + 2 : 0)
  }
  /// Where the level begins.
  var levelStart: Int { feedStart + (feed > 0 ? feed + 2 : 0) }
  /// Where the bar begins.
  var barStart: Int { levelStart + Self.level + 1 }
  /// All of it.
  var width: Int { barStart + bar + (hasPeak ? Self.peak : 0) }
}
