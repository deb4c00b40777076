/// The center of the layer's shape, in points.
struct Center {
  var x: Double
  var y: Double
  var z: Double
}

/// The values that all pools of a system share in one frame.
struct StepContext {
  let layer: Layer
  /// Seconds of the frame in the layer's own time.
  let seconds: Double
  /// Seconds of the layer's own time at the beginning of the frame.
  let time: Double
  /// The part of the frame, within 0…1, in which the layer is active; nil if it is not active in this frame.
  let active: ClosedRange<Double>?
  /// The center of the layer's shape at the end of this frame and of the last one.
  let center: Center
  let lastCenter: Center

  init(layer: Layer, time: Double, seconds: Double, lastCenter: Center?) {
    self.layer = layer
    let span = ActiveSpan(layer.timing)
    self.time = span.localTime(time)
    self.seconds = seconds * span.speed
    active = span.activePart(from: time, seconds: seconds)
    center = Center(x: layer.position.x.clamped, y: layer.position.y.clamped, z: layer.zPosition.clamped)
    self.lastCenter = lastCenter ?? center
  }

  /// The part of the frame, within 0…1, in which a cell may emit; nil if it may not emit in this frame.
  func emittingPart(of cell: Cell) -> ClosedRange<Double>? {
    guard cell.enabled, let active, let own = ActiveSpan(cell.timing).activePart(from: time, seconds: seconds)
    else {
      return nil
    }
    let begin = max(active.lowerBound, own.lowerBound)
    let end = min(active.upperBound, own.upperBound)
    return begin < end ? begin...end : nil
  }

  /// Seconds of the frame in the cell's own time.
  func seconds(_ cell: Cell) -> Double { (seconds * ActiveSpan(cell.timing).speed).clamped(0...1e4) }
}

/// The time in which a layer or cell is active, by the properties of CAMediaTiming that concern births.
///
/// Its own time is (parent's time − beginTime) × speed + timeOffset. It is active from beginTime on, as long as its own
/// time is below duration × max(1, repeatCount), doubled by autoreverses. Fill mode `forwards` makes it active after
/// that, `backwards` before beginTime. A speed below 0 counts as 0, because births cannot be undone.
struct ActiveSpan {
  /// In seconds of the parent's time.
  let begin: Double
  let speed: Double
  /// Its own time at `begin`, in seconds.
  let offset: Double
  /// Seconds of its own time at which it ends; may be infinite.
  let length: Double
  let fill: FillMode

  init(_ timing: Timing) {
    begin = timing.beginTime.clamped
    speed = timing.speed.clamped(0...1e6)
    offset = timing.timeOffset.clamped
    let runs = max(1, timing.repeatCount.clamped(0...1e18)) * (timing.autoreverses ? 2 : 1)
    let duration = timing.duration
    length = duration.isNaN ? .infinity : max(0, duration) * runs
    fill = timing.fillMode
  }

  /// Its own time, in seconds, at a moment of its parent's time.
  func localTime(_ time: Double) -> Double { (time - begin) * speed + offset }

  /// The part, within 0…1, in which it is active, of a frame that begins at `time` and lasts `seconds` of the parent's
  /// time. Nil if it is not active in this frame.
  func activePart(from time: Double, seconds: Double) -> ClosedRange<Double>? {
    guard seconds > 0 else { return nil }
    var first = 0.0
    if fill != .backwards, fill != .both { first = ((begin - time) / seconds).clamped(0...1) }
    var last = 1.0
    if fill != .forwards, fill != .both {
      let rest = length - offset
      let end = speed > 0 ? begin + max(0, rest) / speed : rest > 0 ? .infinity : begin
      last = ((end - time) / seconds).clamped(0...1)
    }
    return first < last ? first...last : nil
  }
}
