public import Engine
public import Graphs
import System

/// Changes to a scene when an event comes.
enum SceneChange: RunnableNode {
  static let name = "scene-change"
  static let help = """
    Brings the show to a scene of the graph when an event comes, whatever its name and channel, as `/visgraph/scene` \
    does. Several events of one frame count as one. Offline it does nothing.
    """
  static let example: String? = """
    kick: { type: trigger, above: -12 dB }
    drop: { type: scene-change, to: storm, seconds: 2 }     # wires: kick.events -> drop
    """

  struct Settings: FieldRecord {
    /// The name of a scene, or `next` or `previous`.
    var to = "next"
    /// The time of the change; nil: that of the scene.
    var seconds: Double?

    static let recordName = "scene-change"
    static let fields: [Field<Settings>] = [
      Field("to", \.to, .text(), "The scene, or next or previous, in the order of the file."),
      Field(
        "seconds", \.seconds, .number(.seconds, ShowScene.times),
        "How long the change takes; by default the time that the scene states, or 0 s if it states none."),
    ]
    init() {}

    /// The chosen scene.
    var choice: SceneChoice {
      switch to {
      case "next": .next
      case "previous": .previous
      default: .named(to)
      }
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.event], "Events.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    ("to", settings.choice)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    // Kept, because the node with the settings before may still run for a frame: its events count, too.
    let control = context.keep { SceneRequest() }
    return NodeParts(
      frame: SceneChangeFrame(control, context.settings.all, wiredChannels: context.eventChannels[0]),
      control: control)
  }
}

/// Requests the change when an event comes. [frame]
final class SceneChangeFrame: FrameNode {
  private let request: SceneRequest
  private let settings: SceneChange.Settings
  /// The wired channels, by the number of their event output.
  private let wiredChannels: [Int: Set<Int>]

  init(_ request: SceneRequest, _ settings: SceneChange.Settings, wiredChannels: [Int: Set<Int>]) {
    self.request = request
    self.settings = settings
    self.wiredChannels = wiredChannels
  }

  func run(_ frame: Frame) {
    if frame.events.all.contains(where: { wiredChannels[$0.output]?.contains($0.channel) == true }) {
      request.ask(for: settings.choice, seconds: settings.seconds)
    }
  }
}

/// A change of scene that an event has requested. It is kept from plan to plan. [frame]
public final class SceneRequest: NodeControl {
  /// The chosen scene, and the time of the change in seconds; nil: that of the scene.
  public typealias Change = (choice: SceneChoice, seconds: Double?)

  private let change = Locked<Change?>(nil)

  /// Requests a change, in place of one that was not taken yet.
  package func ask(for choice: SceneChoice, seconds: Double?) {
    change.withLock { $0 = (choice, seconds) }
  }

  /// The change that has been requested since the last call; nil: none.
  public func take() -> Change? {
    change.withLock { change in
      defer { change = nil }
      return change
    }
  }

  /// A change of scene has no messages of its own.
  public func takeMessages() -> [String] { [] }
}

extension CompiledPlan {
  /// The changes of scene that events of the graph can request. [any]
  public var sceneRequests: [SceneRequest] { controls.compactMap { $0.control as? SceneRequest } }
}
