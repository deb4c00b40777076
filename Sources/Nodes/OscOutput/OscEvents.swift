import Graphs
import Realtime
import OSC

/// Sends events: one message each, with the number 1. [frame]
struct OscEvents {
  private let heard: Set<Int>
  private let node: String
  private let template: String
  private let source: String

  init(_ making: Making<OscOutput.Settings>) {
    heard = making.eventInputs[1]
    node = making.id
    template = making.settings.all.eventAddress
    source = making.upstream[1].first ?? making.id
  }

  func send(_ frame: Frame, through routes: [OscRoute]) {
    guard !heard.isEmpty else { return }
    for event in frame.events.all where heard.contains(event.output) {
      let address = template.replacing("{node}", with: node).replacing("{source}", with: source)
        .replacing("{event}", with: event.name).replacing("{channel}", with: "\(event.channel + 1)")
      guard let packet = try? Message(address, arguments: [.int(1)]).packet() else { continue }
      packet.withUnsafeBytes { bytes in
        for route in routes where route.isLive { route.deliver(bytes, at: frame.end) }
      }
    }
  }
}
