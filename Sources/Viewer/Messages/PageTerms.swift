/// What pages and the program both need to know of clocks and of the way to a screen; `PageScript` hands it to pages. [any]
enum PageTerms {
  /// Seconds between two questions for the clock of a show: at first, and once it is known well.
  static let clockPauses = (soon: 0.1, later: 3.0)
  /// How many answers of the clock are remembered, and how many are enough to be asked rarely.
  static let clockAnswers = (most: 16, enough: 8)
  /// Answers are forgotten after so many seconds, and where they contradict the newest by more than that.
  static let clockLimits = (oldest: 60.0, drift: 0.005)
  /// Frames that may come late and are in time for their picture all the same, however soon their sound is heard.
  static let lateness = 2
  /// Pictures a second of most screens: as long as one is shown, the next takes until it is seen.
  static let screenRate = 60
}
