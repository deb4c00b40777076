import Glibc

/// The environment variables that the program reads.
func environment() -> [String: String] {
  var found: [String: String] = [:]
  for name in [
    "TERM", "COLORTERM", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "HOME", "XDG_CONFIG_HOME", "XDG_MUSIC_DIR",
    "XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PIPEWIRE_REMOTE", "PULSE_RUNTIME_PATH", "PATH",
    "NOTIFY_SOCKET",
    "WATCHDOG_USEC", "NSM_URL", "WATCHDOG_PID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "VISGRAPH_HANG_FRAMES",
    "VISGRAPH_PRESSURE_FILE", "VISGRAPH_KEY",
  ] {
    if let value = getenv(name) { found[name] = String(cString: value) }
  }
  return found
}
