public import Engine
public import Graphs
import Synchronization

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
        "How long the change takes; by default as long as the scene states, otherwise it is made at once."),
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
  static func scenes(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    ("to", settings.choice)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let control = SceneRequest(settings.choice, seconds: settings.seconds)
    return NodeParts(
      frame: SceneChangeFrame(control, wiredChannels: context.eventChannels[0]), control: control)
  }
}

/// Requests the change when an event comes. [frame]
final class SceneChangeFrame: FrameNode {
  private let request: SceneRequest
  /// The wired channels, by the number of their event output.
  private let wiredChannels: [Int: Set<Int>]

  init(_ request: SceneRequest, wiredChannels: [Int: Set<Int>]) {
    self.request = request
    self.wiredChannels = wiredChannels
  }

  func run(_ frame: Frame) {
    if frame.events.all.contains(where: { wiredChannels[$0.output]?.contains($0.channel) == true }) {
      request.ask()
    }
  }
}

/// A change of scene that an event has requested. [any]
public final class SceneRequest: NodeControl {
  /// The chosen scene.
  public let choice: SceneChoice
  /// The time of the change, in seconds; nil: that of the scene.
  public let seconds: Double?
  private let isRequested = Atomic<Bool>(false)

  init(_ choice: SceneChoice, seconds: Double?) {
    self.choice = choice
    self.seconds = seconds
  }

  /// Requests the change. [frame]
  package func ask() { isRequested.store(true, ordering: .relaxed) }

  /// Whether the change has been requested since the last call.
  public func take() -> Bool { isRequested.exchange(false, ordering: .relaxed) }

  /// None.
  public func takeMessages() -> [String] { [] }
}

extension CompiledPlan {
  /// The changes of scene that events of the graph can request. [any]
  public var sceneRequests: [SceneRequest] { controls.compactMap { $0.control as? SceneRequest } }
}
