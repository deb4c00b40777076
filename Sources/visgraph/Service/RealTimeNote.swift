import Engine
import System

/// Checks at the start of a run which limits of the system prevent real-time sound. [control]
enum RealTimeNote {
  /// The real-time priority (SCHED_FIFO) that the clock's callback asks for.
  private static let priority: Int32 = 10

  /// A log line; nil: nothing is missing.
  static func line(of host: any Host, _ environment: [String: String]) -> String? {
    let limits = RealTimeLimits.found(priority: priority)
    // A login changes nothing for a service; systemd sets its limits.
    let isService = environment["SYSTEMD_EXEC_PID"] != nil || environment["NOTIFY_SOCKET"] != nil
    return sentence(
      limits, locksMemory: host.status.locksMemory, isService: isService, user: ProcessOwner.name)
  }

  /// What is missing, the consequence, and the command that grants it.
  static func sentence(_ limits: RealTimeLimits, locksMemory: Bool, isService: Bool, user: String) -> String?
  {
    var missing: [String] = []
    if !limits.hasPriority { missing.append("real-time priority") }
    if locksMemory, !limits.hasMemoryLock { missing.append("locking memory") }
    guard !missing.isEmpty else { return nil }
    let mending =
      isService
      ? "put LimitRTPRIO=95 and LimitMEMLOCK=infinity below [Service] with `systemctl edit`, then restart it"
      : "as root `printf '@audio - rtprio 95\\n@audio - memlock unlimited\\n' > /etc/security/limits.d/audio.conf"
        + " && usermod -aG audio \(user)`, then log in again"
    return
      "the system does not allow \(missing.joined(separator: " and ")), and a busy machine may interrupt "
      + "sound and light: \(mending)"
  }
}
