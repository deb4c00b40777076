/// What a terminal can show, and so how the screen is drawn.
struct Look: Equatable, Sendable {
  /// How many colours there are.
  enum Colours: Sendable { case none, sixteen, indexed, direct }
  /// Which characters there are: all, those of the Linux console's fonts, or ASCII alone.
  enum Glyphs: Sendable { case full, console, ascii }

  var colours = Colours.direct
  var glyphs = Glyphs.full

  /// Told from the environment: `NO_COLOR` (no-color.org), `COLORTERM`, `TERM` and the locale.
  static func told(by environment: [String: String]) -> Look {
    let term = environment["TERM"] ?? "dumb"
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let flat = locale.lowercased().filter { $0 != "-" }
    var look = Look(
      colours: .sixteen, glyphs: flat.hasSuffix("utf8") || flat.contains("utf8@") ? .full : .ascii)
    if term == "linux", look.glyphs == .full { look.glyphs = .console }
    if let wish = environment["NO_COLOR"], !wish.isEmpty {
      look.colours = .none
    } else if term == "dumb" || term.hasPrefix("vt") {
      look.colours = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct") {
      look.colours = .direct
    } else if term.contains("256color") {
      look.colours = .indexed
    }
    return look
  }

  /// What stands for text that was cut off.
  var ellipsis: String { glyphs == .full ? "…" : "~" }
  /// What a channel without any sound reads.
  var nothing: String { glyphs == .full ? "-∞" : "-inf" }
  /// Whether the dark part of a bar is a background, not a character.
  var hasGround: Bool { glyphs == .full && (colours == .indexed || colours == .direct) }
}
