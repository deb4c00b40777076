import Engine
import Graphs

/// The nodes whose pixels an output sends; known once the plan is made. [scene]
final class PixelSources: @unchecked Sendable {
  /// Weak, because the plan owns it: objects kept from plan to plan must not keep a plan alive.
  private weak let pictures: PlanPictures?
  private let input: CheckedInput

  init(_ pictures: PlanPictures, _ input: CheckedInput) { (self.pictures, self.input) = (pictures, input) }

  private var scenes: [PixelsScene] {
    (pictures?.nodes(atEachOf: input) ?? []).compactMap { $0 as? PixelsScene }
  }

  /// The newest frame that they show; nil before the first.
  var step: PixelsStep? { scenes.compactMap(\.shown).max { $0.number < $1.number } }

  /// Copies the pixels of all nodes, one after another, multiplied by `master`.
  func copy(to bytes: UnsafeMutableRawBufferPointer, master: Float) {
    var place = 0
    for scene in scenes {
      let count = min(scene.bytes.count, bytes.count - place)
      guard count > 0 else { break }
      UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: scene.bytes[..<count]))
      place += count
    }
    guard master < 1 else { return }
    let values = (0..<256).map { UInt8((Float($0) * max(0, master)).rounded()) }
    for index in 0..<place { bytes[index] = values[Int(bytes[index])] }
  }
}
