import Foundation
import Testing

@testable import Playback

@Suite struct MusicFolderTests {
  private let folder = Folder()

  @Test func `the desktop names the music folder, which otherwise is in the home folder`() {
    let home = folder.path
    #expect(MusicFolder.path(["HOME": home]) == home + "/Music")
    #expect(MusicFolder.path(["HOME": home, "XDG_MUSIC_DIR": "/m"]) == "/m")
    #expect(MusicFolder.path([:]) == nil)
    folder.write(Array("# x\nXDG_MUSIC_DIR=\"$HOME/My \\\"Tunes\\\"\"\n".utf8), "user-dirs.dirs")
    #expect(MusicFolder.path(["HOME": home, "XDG_CONFIG_HOME": home]) == home + "/My \"Tunes\"")
    #expect(MusicFolder.configured(in: Array("XDG_MUSIC_DIR=\"/srv/m\"".utf8), home: home) == "/srv/m")
    #expect(
      MusicFolder.configured(in: Array("XDG_MUSIC_DIR=\"srv/m\"\nXDG_MUSIC_DIR=\"".utf8), home: home) == nil)
  }
}
