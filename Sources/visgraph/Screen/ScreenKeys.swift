import Controls
import Graphs
import Nodes
import Playback

/// What the keys of the screen ask for. [control]
struct ScreenKeys: Equatable {
  /// What they can ask for.
  enum Request: Equatable {
    case show(ShowCommand)
    case view, redraw
  }

  /// The most characters of a number that is typed.
  private static let most = 9
  /// The number of a cue, as far as it is typed; nil: none is being typed.
  private(set) var cue: String?

  /// What a key asks for; `status` is what was shown last and becomes what it will be, so that keys pressed in one moment
  /// add up.
  mutating func request(_ key: Key, _ status: inout ShowStatus) -> Request? {
    if cue != nil, let isTaken = take(key, &status) { return isTaken }
    guard let own = ScreenKey(key) else {
      guard case .character(let character) = key, let sound = status.sounds[character] else { return nil }
      return .show(.sound(node: sound.bank, .play(sound.sound)))
    }
    guard own == .redraw || status.keys.contains(where: { $0.own == own }) else { return nil }
    switch own {
    case .quit: return .show(.quit)
    case .reload: return .show(.reload)
    case .blackout:
      status.isBlackout.toggle()
      return .show(.blackout(status.isBlackout))
    case .view: return .view
    case .pause: return .show(.transport(node: nil, .toggle))
    case .scene: return .show(.scene(.next))
    case .go: return .show(.cue(.go))
    case .back: return .show(.cue(.back))
    case .stop: return .show(.cue(.stop))
    case .goto:
      cue = ""
      return nil
    case .redraw: return .redraw
    }
  }

  /// Takes a key while a number is typed: nil where the key means what it always does, as that of the blackout.
  private mutating func take(_ key: Key, _ status: inout ShowStatus) -> Request?? {
    guard let text = cue else { return nil }
    switch key {
    case .character(let character) where character.isASCII && (character.isNumber || character == "."):
      if text.count < Self.most { cue = text + String(character) }
    case .backspace: cue = text.isEmpty ? nil : String(text.dropLast())
    case .escape: cue = nil
    case .enter:
      cue = nil
      guard let number = CueNumber(text) else { return .some(nil) }
      return .show(.cue(.number(number)))
    default: return nil
    }
    return .some(nil)
  }
}

extension ScreenKey {
  /// The key of the screen that was pressed; nil: none of its own.
  init?(_ key: Key) {
    switch key {
    case .character(let character):
      guard let own = ScreenKey(rawValue: String(character)) else { return nil }
      self = own
    case .backspace: self = .back
    case .escape: self = .stop
    case .enter: self = .goto
    case .control("l"): self = .redraw
    default: return nil
    }
  }
}
