/// The middle of the layer's shape.
struct Centre {
  var x: Double
  var y: Double
  var z: Double
}

/// What all populations of a system need to know of one frame.
struct Frame {
  let layer: Layer
  /// Seconds of the frame in the layer's own time.
  let seconds: Double
  /// The layer's own time as the frame begins.
  let time: Double
  /// When the layer is active, in parts of the frame.
  let active: ClosedRange<Double>?
  let centre: Centre
  let lastCentre: Centre

  init(layer: Layer, time: Double, seconds: Double, lastCentre: Centre?) {
    self.layer = layer
    let span = ActiveSpan(layer.timing)
    self.time = span.localTime(time)
    self.seconds = seconds * span.speed
    active = span.parts(from: time, seconds: seconds)
    centre = Centre(x: layer.position.x.tamed, y: layer.position.y.tamed, z: layer.zPosition.tamed)
    self.lastCentre = lastCentre ?? centre
  }

  /// When births of a cell may happen, in parts of the frame; nil where they may not.
  func births(_ cell: Cell) -> ClosedRange<Double>? {
    guard cell.enabled, let active, let own = ActiveSpan(cell.timing).parts(from: time, seconds: seconds)
    else {
      return nil
    }
    let begin = max(active.lowerBound, own.lowerBound)
    let end = min(active.upperBound, own.upperBound)
    return begin < end ? begin...end : nil
  }

  /// Seconds of the frame in the time of a cell.
  func seconds(_ cell: Cell) -> Double { (seconds * ActiveSpan(cell.timing).speed).tamed(0...1e4) }
}
