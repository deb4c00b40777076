import Testing

@testable import Playback

@Suite struct FFmpegPackageTests {
  @Test(arguments: [
    ("ID=debian\nVERSION_ID=\"12\"", "install FFmpeg (apt install libavformat59)"),
    (
      "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"13\"\nID=debian\n",
      "install FFmpeg (apt install libavformat61)"
    ),
    ("ID=debian\nVERSION_CODENAME=forky", "install FFmpeg (apt install ffmpeg)"),
    ("ID=ubuntu\nVERSION_ID='24.04'\nID_LIKE=debian", "install FFmpeg (apt install libavformat60)"),
    ("ID=linuxmint\nVERSION_ID=22\nID_LIKE=\"ubuntu debian\"", "install FFmpeg (apt install ffmpeg)"),
    ("ID=fedora\nVERSION_ID=42", "install FFmpeg (dnf install libavformat-free)"),
    ("ID=manjaro\nID_LIKE=arch", "install FFmpeg (pacman -S ffmpeg)"), ("", "install FFmpeg"),
  ])
  func `the remedy names the package of the installed system`(_ release: String, _ remedy: String) {
    #expect(FFmpegPackage.remedy(release: release) == remedy)
  }
}
