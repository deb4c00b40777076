/// When something is active within its parent's time: CAMediaTiming as far as births go.
///
/// Its own time is (parent's time − beginTime) × speed + timeOffset. It is active from beginTime on, while its own time is
/// below duration × the greater of 1 and repeatCount, doubled by autoreverses. Fill mode `forwards` lets it go on after
/// that, `backwards` lets it be active before its beginning. A speed below 0 counts as 0: nobody can be unborn.
struct ActiveSpan {
  let begin: Double
  let speed: Double
  let offset: Double
  /// How long it is active, in its own time; may be infinite.
  let length: Double
  let fill: FillMode

  init(_ timing: Timing) {
    begin = timing.beginTime.tamed
    speed = timing.speed.tamed(0...1e6)
    offset = timing.timeOffset.tamed
    let runs = max(1, timing.repeatCount.tamed(0...1e18)) * (timing.autoreverses ? 2 : 1)
    let duration = timing.duration
    length = duration.isNaN ? .infinity : max(0, duration) * runs
    fill = timing.fillMode
  }

  /// Its own time at a moment of its parent's.
  func localTime(_ time: Double) -> Double { (time - begin) * speed + offset }

  /// The part of a frame, 0…1, in which it is active; nil if in none of it.
  func parts(from time: Double, seconds: Double) -> ClosedRange<Double>? {
    guard seconds > 0 else { return nil }
    var first = 0.0
    if fill != .backwards, fill != .both { first = ((begin - time) / seconds).tamed(0...1) }
    var last = 1.0
    if fill != .forwards, fill != .both {
      let rest = length - offset
      let end = speed > 0 ? begin + max(0, rest) / speed : rest > 0 ? .infinity : begin
      last = ((end - time) / seconds).tamed(0...1)
    }
    return first < last ? first...last : nil
  }
}
