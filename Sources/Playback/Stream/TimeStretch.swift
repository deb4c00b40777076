import CRealtime
import CSoundTouch
import Glibc

/// Another rate with the pitch kept, by the SoundTouch library.
///
/// [one] The output has round(input samples ÷ rate) samples. The library always gets
/// the same blocks, however much is asked at a time, so the output depends on nothing but the input.
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

  /// Samples per channel that the library gets at a time.
  private static let block = 1024

  /// The library takes no more channels at a time.
  private static let mostChannels = 16
  /// And no higher rate; beyond it the search for a seam only looks a little less far.
  private static let highestRate = 192_000

  /// - Parameters:
  ///   - source: what is played.
  ///   - rate: 0.5 … 2.
  ///   - hostRate: the source's samples a second.
  ///   - library: what does it.
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
          // The library's own end may be some samples short.
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

  /// Channels that go through the library together.
  private final class Group {
    private let library: SoundTouch
    private let handle: HANDLE?
    private let first: Int
    private let channels: Int
    private let block: Int
    private let woven: UnsafeMutablePointer<Float>

    init(first: Int, channels: Int, rate: Double, hostRate: Int, block: Int, library: SoundTouch) {
      self.library = library
      self.first = first
      self.channels = channels
      self.block = block
      handle = library.create()
      _ = library.setChannels(handle, UInt32(channels))
      _ = library.setSampleRate(handle, UInt32(hostRate))
      // It would begin with 33 samples of silence, and with a step after them.
      _ = library.setSetting(handle, SoundTouch.filterSetting, 0)
      library.setTempo(handle, Float(rate))
      woven = .allocate(capacity: channels * block)
      woven.initialize(repeating: 0, count: channels * block)
    }

    deinit {
      library.destroy(handle)
      woven.deallocate()
    }

    var available: Int { Int(library.count(handle)) }

    func take(_ samples: PlanarSamples, count: Int, isLast: Bool) {
      for channel in 0..<channels {
        let from = samples[first + channel]
        for i in 0..<count { woven[i * channels + channel] = from[i] }
      }
      if count > 0 { _ = library.put(handle, woven, UInt32(count)) }
      if isLast { _ = library.flush(handle) }
    }

    func give(_ count: Int, into destination: PlanarSamples) {
      var done = 0
      while done < count {
        let given = Int(library.receive(handle, woven, UInt32(min(block, count - done))))
        guard given > 0 else { break }
        for channel in 0..<channels {
          let to = destination[first + channel] + done
          for i in 0..<given { to[i] = woven[i * channels + channel] }
        }
        done += given
      }
    }
  }
}

/// The SoundTouch library, loaded when it is first needed.
///
/// [any] Loading it runs start-up code that lets its thread flush denormal numbers to zero, and every thread that is
/// started from there: the processor is put back as it was.
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

  /// The file that is loaded; Debian's package is libsoundtouch1.
  static let name = "libSoundTouchDll.so.1"

  /// The number of the setting that has a filter against aliases, which only another pitch needs.
  static let filterSetting: Int32 = 0

  /// The library; nil where it is not installed.
  static let shared: SoundTouch? = {
    let rounding = vg_flush_denormals()
    defer { vg_restore_denormals(rounding) }
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
