import Glibc

/// The sound servers besides JACK that run on this machine; used in hints when nothing is heard. [control]
struct SoundServers: Equatable, Sendable {
  var hasPipeWire = false
  /// Whether PulseAudio runs, or PipeWire's replacement of it.
  var hasPulseAudio = false
  /// Whether pw-jack is installed, which connects JACK clients to PipeWire.
  var hasPwJack = false

  /// Connects to the servers' sockets: the socket file alone may be that of a server that has ended.
  static func found(_ environment: [String: String]) -> SoundServers {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let runtime = value("XDG_RUNTIME_DIR")
    let pipeWire = (value("PIPEWIRE_RUNTIME_DIR") ?? runtime).map {
      $0 + "/" + (value("PIPEWIRE_REMOTE") ?? "pipewire-0")
    }
    let pulse = value("PULSE_RUNTIME_PATH").map { $0 + "/native" } ?? runtime.map { $0 + "/pulse/native" }
    let folders = (value("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return SoundServers(
      hasPipeWire: pipeWire.map(answers) ?? false, hasPulseAudio: pulse.map(answers) ?? false,
      hasPwJack: folders.contains { access("\($0)/pw-jack", X_OK) == 0 })
  }

  /// Whether a server accepts connections at the path of its socket.
  private static func answers(_ path: String) -> Bool {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: name.sun_path) else { return false }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 || errno == EAGAIN
      }
    }
  }

  /// What a user can do to hear `visgraph COMMAND …` when no JACK server answers. `takesServer`: the run takes a server
  /// that appears later.
  func remedy(_ command: String, takesServer: Bool) -> String {
    if hasPipeWire {
      return "PipeWire runs: quit and start it as `pw-jack visgraph \(command) …`"
        + (hasPwJack ? "" : " (pw-jack is in Debian's package pipewire-jack)")
    }
    let start =
      "start JACK (qjackctl, or `jackd -d alsa`), \(takesServer ? "and it is heard" : "then this again")"
    return hasPulseAudio
      ? "PulseAudio runs, which knows nothing of JACK and may hold the sound card (`pasuspender` frees it): \(start)"
      : "no other sound server was found: \(start)"
  }
}
