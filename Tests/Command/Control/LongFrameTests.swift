import Controls
import Foundation
import OSC
import TestSupport
import Testing

/// What is asked for while frames are long.
@Suite(.serialized, .blocking) struct LongFrameTests {
  @Test(arguments: ["", "--record-control", "--control-score"])
  func `a blackout and the master do not wait for a frame that lasts a second`(score: String) throws {
    let rig = try LitRig()
    // A score that says something now and then, and once long after.
    let file = rig.folder.file("show.osc")
    if score == "--control-score" {
      let writer = try ScoreWriter(path: file)
      for second in [0.5, 1, 2, 1000] {
        try Message("/visgraph/node/level/root", .float(2)).packet().withUnsafeBytes {
          writer.write($0, at: second)
        }
      }
      try writer.finish()
    }
    let child = try Child(
      [Visgraph.path, "run", try rig.graph(fps: 1), "--host", "clock"]
        + (score.isEmpty ? [] : [score, file]))
    let peer = try ControlPeer(try child.controlPort())
    #expect(rig.isLit(within: 10))
    let master = try rig.quickest(dark: { try peer.send("/visgraph/master", .float(0)) }) {
      try peer.send("/visgraph/master", .float(1))
    }
    #expect(master < 0.05)
    #expect(try rig.blackout(peer) < 0.05)
  }
}
