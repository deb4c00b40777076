/// What pages and the program both need to know of the way of a frame to a screen; `PageScript` hands it to pages.
/// [any]
enum PageTerms {
  /// Frames that may come late and are in time for their picture all the same, however soon their sound is heard.
  static let lateness = 2
  /// Pictures a second of most screens: as long as one is shown, the next takes until it is seen.
  static let screenRate = 60
}
