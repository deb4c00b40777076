import Controls
import Engine
import Graphs
import NIOCore
import NIOEmbedded
import Rendering
import Testing

@testable import Viewer

/// The LEDs that pages watch, as messages.
@Suite struct LedHubTests {
  private func numbers<Number: FixedWidthInteger>(_ buffer: ByteBuffer, at start: Int, as: Number.Type)
    -> [Number]
  {
    var buffer = buffer
    buffer.moveReaderIndex(forwardBy: start)
    var numbers: [Number] = []
    while let number = buffer.readInteger(endianness: .little, as: Number.self) { numbers.append(number) }
    return numbers
  }

  @Test func `places are sent as parts of the stage, and an LED without a place as such`() {
    let places = [
      LedPlace(x: 0, y: 50, width: 4, height: 5), nil, LedPlace(x: 200, y: 100, width: 4, height: 5),
    ]
    let record = LedHub.record(of: places, width: 200, height: 100)
    #expect(Array(record.readableBytesView.prefix(4)) == [9, 1, 0, 0])
    #expect(numbers(record, at: 4, as: UInt32.self).prefix(3) == [28, 3, 1])
    #expect(
      numbers(record, at: 16, as: UInt32.self).prefix(2).map(Float.init(bitPattern:)) == [0.02, 0.05])
    #expect(numbers(record, at: 24, as: UInt16.self) == [0, 32_767, 65_535, 65_535, 65_534, 65_534])
    let colors = LedHub.record(of: [1, 2, 3])
    #expect(Array(colors.readableBytesView) == [10, 1, 0, 0, 3, 0, 0, 0, 1, 2, 3])
  }

  @Test func `of more LEDs than a page may have every second one is sent`() {
    let places = [LedPlace?](repeating: LedPlace(x: 1, y: 1, width: 1, height: 1), count: 16_385)
    let record = LedHub.record(of: places, width: 2, height: 2)
    #expect(numbers(record, at: 4, as: UInt32.self).prefix(3) == [16 + 4 * 8193, 16_385, 2])
    #expect(record.readableBytes == 24 + 4 * 8193)
  }

  @Test func `LEDs need the right to steer`() throws {
    let show = Show()
    let sources = ViewSources(
      show: show, router: CommandRouter(show: show, wake: {}), folders: AllowedFolders([]), version: "",
      events: ViewEvents(), host: { HostSnapshot(name: "", rate: 0, timeline: 0) }, levels: { (nil, []) })
    let hub = ViewHub(sources, ViewClients(ViewSettings(), most: 16), on: EmbeddedEventLoop())
    func ask(_ right: ViewRight, _ id: String?) -> ViewFault? {
      let client = ViewClient(EmbeddedChannel(), right, name: "a page", at: 0)
      hub.join(client)
      do throws(ViewFault) {
        try hub.perform(.leds(id), of: client)
        return nil
      } catch { return error }
    }
    #expect(ask(.watch, "wall") == .notAllowed && ask(.watch, nil) == nil && ask(.steer, "wall") == nil)
  }
}
