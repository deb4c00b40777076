/// The function of a QLC+ channel that its preset states. [control]
struct QlcPreset {
  private let name: String

  /// Nil for a preset that no word of fixture files matches.
  init?(_ name: String) {
    self.name = name
    if word == nil { return nil }
  }

  private static let words = [
    "IntensityMasterDimmer": "dimmer", "IntensityDimmer": "dimmer", "IntensityRed": "red",
    "IntensityGreen": "green",
    "IntensityBlue": "blue", "IntensityWhite": "white", "IntensityAmber": "amber", "IntensityUV": "uv",
    "IntensityIndigo": "indigo", "IntensityLime": "lime", "IntensityCyan": "cyan",
    "IntensityMagenta": "magenta",
    "IntensityYellow": "yellow", "PositionPan": "pan", "PositionTilt": "tilt", "BeamZoomSmallBig": "zoom",
    "BeamZoomBigSmall": "zoom", "BeamFocusNearFar": "focus", "BeamFocusFarNear": "focus",
    "ShutterIrisMinToMax": "iris", "ShutterIrisMaxToMin": "iris", "ShutterStrobeSlowFast": "strobe",
    "ShutterStrobeFastSlow": "strobe", "SpeedPanTiltSlowFast": "speed", "SpeedPanTiltFastSlow": "speed",
  ]

  private var word: String? { Self.words[name] }
  /// Whether the quantity falls as the slot rises.
  private var isFalling: Bool {
    [
      "BeamZoomBigSmall", "BeamFocusFarNear", "ShutterIrisMaxToMin", "ShutterStrobeFastSlow",
      "SpeedPanTiltFastSlow",
    ]
    .contains(name)
  }

  /// Sets the word and the range of a channel.
  func fill(_ channel: inout FixtureDraft.Channel, _ physical: QlcPhysical, _ draft: inout FixtureDraft) {
    guard let word else { return }
    channel.word = word
    switch word {
    case "pan", "tilt":
      let degrees = word == "pan" ? physical.pan : physical.tilt
      guard degrees > 0 else {
        return draft.note(
          .approximated, channel.key, "its travel is not given, so that of channels without a range stands in"
        )
      }
      channel.range = FixtureWords.travel(degrees)
    case "zoom":
      let (least, most) = physical.beam
      guard least != most else {
        if isFalling { channel.range = ("50 deg", "5 deg") }
        return draft.note(.approximated, channel.key, "its angles are not given, so 5 to 50 degrees stand in")
      }
      let ends = ["\(FixtureWords.text(min(least, most))) deg", "\(FixtureWords.text(max(least, most))) deg"]
      channel.range = isFalling ? (ends[1], ends[0]) : (ends[0], ends[1])
    case "strobe":
      channel.range = isFalling ? ("25 Hz", "0 Hz") : ("0 Hz", "25 Hz")
      draft.note(.approximated, channel.key, "how often it flashes is not given, so 0 to 25 Hz stand in")
    case "iris":
      channel.range = isFalling ? ("100 %", "0 %") : nil
      // An iris at rest is open.
      channel.initial = channel.initial ?? (isFalling ? 0 : 255)
    default:
      if isFalling {
        channel.range = ("100 %", "0 %")
        channel.initial = channel.initial ?? 0
      }
    }
  }
}
