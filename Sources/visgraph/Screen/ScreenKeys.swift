import Controls
import Graphs
import Nodes
import Playback

/// The key bindings of the screen. [control]
struct ScreenKeys: Equatable {
  /// The result of a key.
  enum Request: Equatable {
    case show(ShowCommand)
    case view, redraw
  }

  /// The maximum number of characters of a typed cue number.
  private static let most = 9
  /// The cue number as typed so far; nil: none is being typed.
  private(set) var cue: String?

  /// The command of a key. `status` is the status that was drawn last. It is updated in advance, so that several keys
  /// at once add up.
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
      status.moment.isBlackout.toggle()
      return .show(.blackout(status.moment.isBlackout))
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

  /// Handles a key while a cue number is typed. `.some(nil)`: the key only edits the number; nil: it keeps its usual
  /// function.
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
  /// The binding of a key; nil: the screen has none.
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
