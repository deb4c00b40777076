import CRealtime
import Playback

/// How many channels a list of files needs. [control]
enum PlayChannels {
  /// The most channels of the files, at least 2. Only as many are opened as can be in `seconds`: with a library of
  /// 100,000 the rest is taken to be like the first.
  static func most(of files: [String], seconds: Double = 0.3) -> Int {
    let end = vg_now() + UInt64(seconds * 1e9)
    var most = 2
    for (index, file) in files.enumerated() {
      // The first always counts, however slow the disk is.
      if index > 0, vg_now() > end { break }
      if let channels = try? openAudio(file).format.channels { most = max(most, channels) }
    }
    return most
  }
}
