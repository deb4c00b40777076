import CRealtime
import CSoundTouch
import Glibc

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
