import System

/// A progress bar on stderr, drawn at most ten times a second. [control]
final class Progress {
  let isShown: Bool
  /// Pictures drawn so far; 0: none yet, or the job draws none.
  var pictures = 0
  /// When the bar was drawn last, in ns of the monotonic clock; 0: never.
  private var lastDrawn: UInt64 = 0
  /// When the job began, in ns of the monotonic clock.
  private let began = MonotonicClock.now
  /// Whether the bar stands in the terminal.
  private var isDrawn = false

  /// If `isShown` is false, nothing is ever written.
  init(isShown: Bool) { self.isShown = isShown }

  /// Draws the bar. The first 0.3 s show none.
  func show(_ done: Int64, of all: Int64) {
    guard isShown, all > 0 else { return }
    let now = MonotonicClock.now
    guard now - lastDrawn > 100_000_000, now - began > 300_000_000 else { return }
    lastDrawn = now
    isDrawn = true
    let line = Self.line(
      part: max(0, min(1, Double(done) / Double(all))), pictures: pictures, elapsed: Double(now - began) / 1e9
    )
    // A terminal that is narrower cuts the line off: one that wraps would leave a row behind each time.
    write("\r\u{1b}[?7l\(line)\u{1b}[K\u{1b}[?7h", to: 2)
  }

  /// The bar as text of at most 70 columns or so. `part`: what is done, 0…1; `elapsed`: in seconds.
  static func line(part: Double, pictures: Int, elapsed: Double) -> String {
    let width = 30
    let full = Int(part * Double(width))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let pace = pictures > 0 ? "  \(Int((Double(pictures) / elapsed).rounded())) pictures/s" : ""
    // The first hundredth says too little of the rest.
    let left = part > 0.01 ? "  \(Int((elapsed / part - elapsed).rounded(.up))) s left" : ""
    return "\(bar) \(Int(part * 100)) %\(pace)\(left) "
  }

  /// Erases the bar.
  func clear() {
    if isDrawn { write("\r\u{1b}[K", to: 2) }
    isDrawn = false
  }
}
