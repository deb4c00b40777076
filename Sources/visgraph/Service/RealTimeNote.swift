import Engine
import System

/// Reports at the start of a run what the system refuses that sound in real time wants, and what mends it. [control]
enum RealTimeNote {
  /// The priority of the callback where we run it ourselves, the highest that we ask for.
  private static let priority: Int32 = 10

  /// A line; nil where nothing is missing.
  static func line(of host: any Host, _ environment: [String: String]) -> String? {
    let limits = RealTimeLimits.found(priority: priority)
    // A service has limits of its own, and no login that would give it others.
    let isService = environment["SYSTEMD_EXEC_PID"] != nil || environment["NOTIFY_SOCKET"] != nil
    return sentence(
      limits, locksMemory: host.status.locksMemory, isService: isService, user: ProcessOwner.name)
  }

  /// What is missing, what comes of it, and the command that mends it.
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
