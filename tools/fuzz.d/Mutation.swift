/// Makes the mutants: real graph files with a few mistakes, always the same for a seed and a number.
struct Mutation {
  let corpus: Corpus
  let seed: UInt64

  /// The largest size of a mutant, in bytes.
  private static let most = 65536

  /// Mutant number `number`.
  func mutant(_ number: Int) -> [UInt8] {
    var dice = Dice(seed: seed, number: number)
    var text = LinedText(dice.one(of: corpus.files))
    // Half of them have one mistake: those get furthest through the checks.
    for _ in 0...dice.pick(2) * dice.pick(8) { change(&text, &dice) }
    return Array(text.bytes.prefix(Self.most))
  }

  private func change(_ text: inout LinedText, _ dice: inout Dice) {
    switch dice.pick(20) {
    case 0: text.bytes = bytes(text.bytes, &dice)
    case 1: text.moveLine(&dice)
    case 2: text.copyLine(&dice)
    case 3: text.removeLine(&dice)
    case 4: text.bytes = Array(text.bytes.prefix(dice.pick(text.bytes.count + 1)))
    case 5: text.insert(Pieces.nasty(&dice), at: dice.pick(text.bytes.count + 1))
    case 6: text.repeatBlock(&dice)
    case 7, 8: text.splice(LinedText(dice.one(of: corpus.files)), &dice)
    case 9, 10, 11: text.replaceNumber(with: Pieces.number(&dice), &dice)
    case 12: text.replaceWord(with: dice.one(of: corpus.words), &dice)
    case 13:
      let other = LinedText(dice.one(of: corpus.files))
      text.replaceWord(with: other.word(&dice) ?? "x", &dice)
    case 14: text.replaceWord(with: text.word(&dice) ?? "x", &dice)
    case 15: text.add(setting: dice.one(of: corpus.words), Pieces.value(corpus.words, &dice), &dice)
    case 16, 17: text.add(wireWith: Pieces.selector(&dice), &dice)
    case 18: text.add(node: dice.one(of: corpus.words), &dice)
    default: text.replaceValue(with: Pieces.value(corpus.words, &dice), &dice)
    }
  }

  /// Flips bits, sets bytes, cuts some out, doubles some.
  private func bytes(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0...dice.pick(4) where !bytes.isEmpty {
      let place = dice.pick(bytes.count)
      let end = min(bytes.count, place + 1 + dice.pick(12))
      switch dice.pick(4) {
      case 0: bytes[place] ^= 1 << UInt8(dice.pick(8))
      case 1: bytes[place] = UInt8(dice.pick(256))
      case 2: bytes.removeSubrange(place..<end)
      default: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      }
    }
    return bytes
  }
}
