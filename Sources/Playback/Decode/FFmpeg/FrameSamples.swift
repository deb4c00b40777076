#if FFmpeg
  import CFfmpeg

  /// Copies samples of a decoded frame into channels as floats; samples that are not finite become 0. [one]
  ///
  /// - Parameters:
  ///   - frame: a decoded frame.
  ///   - offset: the first sample to copy; offset + count does not exceed the frame.
  ///   - count: samples per channel.
  ///   - destination: memory for them; channels that the frame does not have become silence.
  /// - Returns: samples, over all channels, that were not finite.
  func copy(
    _ frame: UnsafePointer<AVFrame>, from offset: Int, count: Int, into destination: PlanarSamples
  ) -> Int {
    switch AVSampleFormat(rawValue: frame.pointee.format) {
    case AV_SAMPLE_FMT_FLTP: convert(frame, offset, count, destination, isPlanar: true) { (x: Float) in x }
    case AV_SAMPLE_FMT_FLT: convert(frame, offset, count, destination, isPlanar: false) { (x: Float) in x }
    case AV_SAMPLE_FMT_S16P:
      convert(frame, offset, count, destination, isPlanar: true) { (x: Int16) in Float(x) * 0x1p-15 }
    case AV_SAMPLE_FMT_S16:
      convert(frame, offset, count, destination, isPlanar: false) { (x: Int16) in Float(x) * 0x1p-15 }
    case AV_SAMPLE_FMT_S32P:
      convert(frame, offset, count, destination, isPlanar: true) { (x: Int32) in Float(x) * 0x1p-31 }
    case AV_SAMPLE_FMT_S32:
      convert(frame, offset, count, destination, isPlanar: false) { (x: Int32) in Float(x) * 0x1p-31 }
    case AV_SAMPLE_FMT_U8P:
      convert(frame, offset, count, destination, isPlanar: true) { (x: UInt8) in (Float(x) - 128) * 0x1p-7 }
    case AV_SAMPLE_FMT_U8:
      convert(frame, offset, count, destination, isPlanar: false) { (x: UInt8) in (Float(x) - 128) * 0x1p-7 }
    case AV_SAMPLE_FMT_DBLP:
      convert(frame, offset, count, destination, isPlanar: true) { (x: Double) in Float(x) }
    case AV_SAMPLE_FMT_DBL:
      convert(frame, offset, count, destination, isPlanar: false) { (x: Double) in Float(x) }
    default: silence(destination, from: 0, count: count)
    }
    let there = min(destination.channels, Int(vg_frame_layout(frame).pointee.nb_channels))
    silence(destination, from: there, count: count)
    return (0..<there).reduce(0) { $0 + silenceNonFinite(destination[$1], count: count) }
  }

  /// Fills the channels from `first` on with silence.
  func silence(_ destination: PlanarSamples, from first: Int, count: Int) {
    for channel in first..<max(first, destination.channels) {
      destination[channel].update(repeating: 0, count: count)
    }
  }

  @inline(__always)
  private func convert<Sample>(
    _ frame: UnsafePointer<AVFrame>, _ offset: Int, _ count: Int, _ destination: PlanarSamples,
    isPlanar: Bool,
    _ float: (Sample) -> Float
  ) {
    let channels = Int(vg_frame_layout(frame).pointee.nb_channels)
    for channel in 0..<min(channels, destination.channels) {
      let samples = destination[channel]
      guard let bytes = frame.pointee.extended_data[isPlanar ? channel : 0] else {
        samples.update(repeating: 0, count: count)
        continue
      }
      let all = UnsafeRawPointer(bytes).assumingMemoryBound(to: Sample.self)
      let source = all + (isPlanar ? offset : offset * channels + channel)
      let step = isPlanar ? 1 : channels
      for index in 0..<count { samples[index] = float(source[index &* step]) }
    }
  }
#endif
