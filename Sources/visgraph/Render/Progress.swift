import System

/// A progress bar on stderr, drawn at most ten times a second. [control]
final class Progress {
  let isShown: Bool
  /// Pictures drawn so far; 0: the job draws none.
  var pictures = 0
  /// When the bar was drawn last, and when the job began, in ns of the monotonic clock.
  private var last: UInt64 = 0
  private let start = MonotonicClock.now
  private var isDrawn = false

  /// If `isShown` is false, nothing is ever written.
  init(isShown: Bool) { self.isShown = isShown }

  /// Draws the bar. The first 0.3 s show none.
  func show(_ done: Int64, of all: Int64) {
    guard isShown, all > 0 else { return }
    let now = MonotonicClock.now
    guard now - last > 100_000_000, now - start > 300_000_000 else { return }
    last = now
    isDrawn = true
    let part = max(0, min(1, Double(done) / Double(all)))
    let width = 30
    let full = Int(part * Double(width))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let elapsed = Double(now - start) / 1e9
    let left = part > 0.01 ? elapsed / part - elapsed : 0
    let pace = pictures > 0 ? "  \(Int((Double(pictures) / elapsed).rounded())) pictures/s" : ""
    write("\r\(bar) \(Int(part * 100)) %\(pace)  \(Int(left.rounded(.up))) s left \u{1b}[K", to: 2)
  }

  /// Erases the bar.
  func clear() {
    if isDrawn { write("\r\u{1b}[K", to: 2) }
  }
}
