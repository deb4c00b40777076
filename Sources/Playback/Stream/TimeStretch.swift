import CRealtime
import CSoundTouch
import Glibc

/// Changes the tempo and keeps the pitch, by the SoundTouch library. [one]
///
/// The output has round(input samples ÷ rate) samples. The library is always given blocks of the same size, whatever
/// sizes are read, so the output depends on the input alone.
final class TimeStretch: SampleSource {
  let channels: Int
  var fault: AudioError? { source.fault }

  private let source: any SampleSource
  private let rate: Double
  private let groups: [Group]
  private let input: PlanarBuffer
  private var taken: Int64 = 0
  private var given: Int64 = 0
  private var sourceIsOver = false

  /// Samples per channel of a block for the library.
  private static let block = 1024

  /// The most channels of one instance of the library.
  private static let mostChannels = 16
  /// The highest sample rate that the library accepts, in Hz. For a higher one it gets this value, and then searches a
  /// shorter time for overlaps.
  private static let highestRate = 192_000

  /// - Parameters:
  ///   - source: the input.
  ///   - rate: tempo, 0.5…2.
  ///   - hostRate: the source's sample rate in Hz.
  ///   - library: the loaded library.
  init(_ source: any SampleSource, rate: Double, hostRate: Int, library: SoundTouch) {
    self.source = source
    self.rate = rate
    channels = source.channels
    input = PlanarBuffer(channels: source.channels, count: Self.block)
    groups = stride(from: 0, to: source.channels, by: Self.mostChannels).map { first in
      Group(
        first: first, channels: min(Self.mostChannels, source.channels - first), rate: rate,
        hostRate: max(8000, min(Self.highestRate, hostRate)), block: Self.block, library: library)
    }
  }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count {
      let end = sourceIsOver ? Int64((Double(taken) / rate).rounded()) : .max
      let wanted = Int(min(Int64(count - done), end - given))
      guard wanted > 0 else { break }
      var there = wanted
      for group in groups { there = min(there, group.available) }
      if there == 0 {
        if sourceIsOver {
          // The library may return some samples too few at the end: silence replaces them.
          for channel in 0..<channels { (destination[channel] + done).update(repeating: 0, count: wanted) }
          given += Int64(wanted)
          done += wanted
        } else {
          takeBlock()
        }
        continue
      }
      for group in groups { group.give(there, into: destination.dropFirst(done)) }
      given += Int64(there)
      done += there
    }
    return done
  }

  private func takeBlock() {
    let count = source.read(Self.block, into: input.samples)
    taken += Int64(count)
    sourceIsOver = count < Self.block
    for group in groups { group.take(input.samples, count: count, isLast: sourceIsOver) }
  }

  /// Channels that one instance of the library processes together.
  private final class Group {
    private let library: SoundTouch
    private let handle: HANDLE?
    private let first: Int
    private let channels: Int
    private let block: Int
    private let interleaved: UnsafeMutablePointer<Float>

    init(first: Int, channels: Int, rate: Double, hostRate: Int, block: Int, library: SoundTouch) {
      self.library = library
      self.first = first
      self.channels = channels
      self.block = block
      handle = library.create()
      _ = library.setChannels(handle, UInt32(channels))
      _ = library.setSampleRate(handle, UInt32(hostRate))
      // The anti-alias filter would begin with 33 samples of silence and a step after them.
      _ = library.setSetting(handle, SoundTouch.filterSetting, 0)
      library.setTempo(handle, Float(rate))
      interleaved = .allocate(capacity: channels * block)
      interleaved.initialize(repeating: 0, count: channels * block)
    }

    deinit {
      library.destroy(handle)
      interleaved.deallocate()
    }

    var available: Int { Int(library.count(handle)) }

    func take(_ samples: PlanarSamples, count: Int, isLast: Bool) {
      for channel in 0..<channels {
        let from = samples[first + channel]
        for i in 0..<count { interleaved[i * channels + channel] = from[i] }
      }
      if count > 0 { _ = library.put(handle, interleaved, UInt32(count)) }
      if isLast { _ = library.flush(handle) }
    }

    func give(_ count: Int, into destination: PlanarSamples) {
      var done = 0
      while done < count {
        let given = Int(library.receive(handle, interleaved, UInt32(min(block, count - done))))
        guard given > 0 else { break }
        for channel in 0..<channels {
          let to = destination[first + channel] + done
          for i in 0..<given { to[i] = interleaved[i * channels + channel] }
        }
        done += given
      }
    }
  }
}

/// The SoundTouch library, loaded when it is first needed. [any]
///
/// Loading it sets flush-to-zero in the loading thread, which threads that it starts inherit; so the control register
/// is restored.
struct SoundTouch: @unchecked Sendable {
  let create: vg_soundtouch_create
  let destroy: vg_soundtouch_act
  let flush: vg_soundtouch_flush
  let setChannels: vg_soundtouch_set_number
  let setSampleRate: vg_soundtouch_set_number
  let setSetting: vg_soundtouch_set_setting
  let setTempo: vg_soundtouch_set_factor
  let put: vg_soundtouch_put
  let receive: vg_soundtouch_receive
  let count: vg_soundtouch_count

  /// The file that is loaded; the Debian package is libsoundtouch1.
  static let name = "libSoundTouchDll.so.1"

  /// SETTING_USE_AA_FILTER, the anti-alias filter, which only a change of pitch needs.
  static let filterSetting: Int32 = 0

  /// The library; nil where it is not installed.
  static let shared: SoundTouch? = {
    let controlRegister = vg_flush_denormals()
    defer { vg_restore_denormals(controlRegister) }
    return dlopen(name, RTLD_NOW | RTLD_LOCAL).flatMap { SoundTouch($0) }
  }()

  private init?(_ library: UnsafeMutableRawPointer) {
    func find<Function>(_ name: String, _: Function.Type) -> Function? {
      dlsym(library, "soundtouch_" + name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let create = find("createInstance", vg_soundtouch_create.self),
      let destroy = find("destroyInstance", vg_soundtouch_act.self),
      let flush = find("flush", vg_soundtouch_flush.self),
      let setChannels = find("setChannels", vg_soundtouch_set_number.self),
      let setSampleRate = find("setSampleRate", vg_soundtouch_set_number.self),
      let setSetting = find("setSetting", vg_soundtouch_set_setting.self),
      let setTempo = find("setTempo", vg_soundtouch_set_factor.self),
      let put = find("putSamples", vg_soundtouch_put.self),
      let receive = find("receiveSamples", vg_soundtouch_receive.self),
      let count = find("numSamples", vg_soundtouch_count.self)
    else { return nil }
    self.create = create
    self.destroy = destroy
    self.flush = flush
    self.setChannels = setChannels
    self.setSampleRate = setSampleRate
    self.setSetting = setSetting
    self.setTempo = setTempo
    self.put = put
    self.receive = receive
    self.count = count
  }
}
