#if FFmpeg
  import CFfmpeg
  import System

  /// How to install FFmpeg's libraries on this system. [any]
  enum FFmpegPackage {
    /// The remedy if they cannot be loaded, without a full stop.
    static let remedy: String = {
      // Libraries of an unknown version are installed: installing the system's package would change nothing.
      if vg_ffmpeg_version() > 0 { return "install a newer version of visgraph, which supports this FFmpeg" }
      let release = (try? RegularFile.bytes(of: "/etc/os-release", most: 65_536)) ?? []
      return remedy(release: String(decoding: release, as: UTF8.self))
    }()

    /// The remedy by the contents of `/etc/os-release`.
    static func remedy(release: String) -> String {
      var facts: [String: String] = [:]
      for line in release.split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { facts[String(parts[0])] = String(parts[1].filter { $0 != "\"" && $0 != "'" }) }
      }
      let name = facts["ID"] ?? ""
      let kin = (facts["ID_LIKE"] ?? "").split(separator: " ").map(String.init)
      guard let command = command(name, facts["VERSION_ID"] ?? "", kin) else { return "install FFmpeg" }
      return "install FFmpeg (\(command))"
    }

    private static func command(_ name: String, _ version: String, _ kin: [String]) -> String? {
      switch (name, version) {
      case ("debian", "12"): "apt install libavformat59"
      case ("ubuntu", "24.04"): "apt install libavformat60"
      case ("debian", "13"), ("ubuntu", "25.04"), ("ubuntu", "25.10"): "apt install libavformat61"
      // The package ffmpeg depends on its libraries, whatever their version.
      case _ where ["debian", "ubuntu"].contains(name) || kin.contains("debian") || kin.contains("ubuntu"):
        "apt install ffmpeg"
      case ("fedora", _): "dnf install libavformat-free"
      case _ where name == "arch" || kin.contains("arch"): "pacman -S ffmpeg"
      default: nil
      }
    }
  }
#endif
