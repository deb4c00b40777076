/// What pages and the program both need to know of the way of a frame to a screen; `PageScript` hands it to pages.
/// [any]
enum PageTerms {
  /// How late a frame may arrive, in frames: pictures are delayed by so much even if their sound is heard sooner.
  static let lateness = 2
  /// Pictures a second of most screens: as long as one is shown, the next takes until it is seen.
  static let screenRate = 60
}
