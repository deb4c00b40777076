import System

/// Replaces characters of word processors and web pages by those of YAML and wires: typographic quotes, no-break
/// spaces, dashes for a minus, arrows. [control]
///
/// Lines without faults are left alone: in a valid name or text such a character is meant as it is.
struct Typography {
  /// A character and its replacement.
  private struct Sign {
    /// The name of the character in messages.
    let name: String
    /// The replacement; empty: the character is removed.
    let plain: String
    /// The places where it is replaced.
    let place: Place

    enum Place { case anywhere, quote, dash }
  }

  private static let signs: [Unicode.Scalar: Sign] = {
    var signs: [Unicode.Scalar: Sign] = [:]
    for (code, name) in [
      (0xA0, "a no-break space"), (0x202F, "a narrow no-break space"), (0x2007, "a figure space"),
      (0x2002, "an en space"), (0x2003, "an em space"), (0x2009, "a thin space"),
      (0x3000, "an ideographic space"),
    ] as [(UInt32, String)] {
      signs[Unicode.Scalar(code)!] = Sign(name: name, plain: " ", place: .anywhere)
    }
    for (code, name) in [
      (0x200B, "an invisible zero width space"), (0x2060, "an invisible word joiner"),
      (0xFEFF, "an invisible byte order mark"), (0xAD, "an invisible soft hyphen"),
    ] as [(UInt32, String)] {
      signs[Unicode.Scalar(code)!] = Sign(name: name, plain: "", place: .anywhere)
    }
    for scalar in "“”„‟«»″".unicodeScalars {
      signs[scalar] = Sign(name: "a typographic quote", plain: "\"", place: .quote)
    }
    for scalar in "‘’‚‛‹›′".unicodeScalars {
      signs[scalar] = Sign(name: "a typographic quote", plain: "'", place: .quote)
    }
    for (scalar, name) in [
      ("–", "an en dash"), ("—", "an em dash"), ("−", "a minus sign"), ("‐", "a hyphen"),
      ("‑", "a no-break hyphen"),
    ]
      as [(Unicode.Scalar, String)]
    {
      signs[scalar] = Sign(name: name, plain: "-", place: .dash)
    }
    for scalar in "→⟶➔➜➝⇒".unicodeScalars {
      signs[scalar] = Sign(name: "an arrow", plain: "->", place: .anywhere)
    }
    for (scalar, plain, name) in [
      ("：", ":", "a full-width colon"), ("，", ",", "a full-width comma"), ("｛", "{", "a full-width brace"),
      ("｝", "}", "a full-width brace"), ("［", "[", "a full-width bracket"),
      ("］", "]", "a full-width bracket"),
    ] as [(Unicode.Scalar, String, String)] {
      signs[scalar] = Sign(name: name, plain: plain, place: .anywhere)
    }
    return signs
  }()

  /// Mends the lines with faults, or all lines if the text is invalid YAML; nil if there is nothing to mend.
  static func mended(_ source: SourceText, near faults: [Diagnostic]) -> MendedText? {
    guard source.bytes.count <= MendedText.largest, source.bytes.contains(where: { $0 >= 0x80 }),
      String(validating: source.bytes, as: UTF8.self) != nil
    else { return nil }
    var text = MendedText(source)
    let all = faults.contains { $0.code == "yaml-syntax" || $0.mark == nil }
    let marks = faults.compactMap(\.mark).filter { $0.option == nil && $0.file == nil }
    let near = Set(marks.flatMap { $0.line...min(max($0.line, $0.endLine), $0.line + 50) })
    let lines = text.lines
    var number = 1
    while text.faults.count < MendedText.most, let line = lines[number] {
      if all || near.contains(number), line.utf8.contains(where: { $0 >= 0x80 }) {
        mend(line, number, in: &text)
      }
      number += 1
    }
    return text.faults.isEmpty ? nil : text
  }

  /// Mends a line, and reports each kind of character in it once.
  private static func mend(_ line: String, _ number: Int, in text: inout MendedText) {
    let scalars = Array(line.unicodeScalars)
    var (quote, reported, open): (Unicode.Scalar?, Set<String>, Bool) = (nil, [], false)
    var result = ""
    var before: Unicode.Scalar?
    for (index, scalar) in scalars.enumerated() {
      defer { if scalar != " " { before = scalar } }
      if let begun = quote {
        if scalar == begun { quote = nil }
      } else if scalar == "\"" || scalar == "'", before == nil || isBeginning(before) {
        quote = scalar
      } else if scalar == "#", index == 0 || scalars[index - 1] == " " {
        result.unicodeScalars.append(contentsOf: scalars[index...])
        break
      } else if let sign = signs[scalar] {
        let isMeant: Bool
        switch sign.place {
        case .anywhere: isMeant = true
        case .quote:
          // In the middle of a word it is an apostrophe, or part of a text.
          isMeant = open || isBeginning(before)
          if isMeant { open = true }
        case .dash:
          let next = index + 1 < scalars.count ? scalars[index + 1] : " "
          isMeant = next == ">" || next == "." || ("0"..."9").contains(next) || before == nil && next == " "
        }
        if isMeant {
          if reported.insert(sign.name).inserted {
            text.report(
              .typographic(sign.name, scalar, sign.plain, at: MendedText.mark(number, index + 1, " ")))
          }
          result += sign.plain
          continue
        }
      }
      result.unicodeScalars.append(scalar)
    }
    guard !reported.isEmpty else { return }
    apply(scalars, Array(result.unicodeScalars), number, in: &text)
  }

  /// Replaces a line, and passes on the column of every changed character.
  private static func apply(
    _ old: [Unicode.Scalar], _ new: [Unicode.Scalar], _ number: Int, in text: inout MendedText
  ) {
    var (i, j) = (0, 0)
    var changes: [(column: Int, plain: String)] = []
    while i < old.count {
      if j < new.count, old[i] == new[j] {
        (i, j) = (i + 1, j + 1)
        continue
      }
      let plain = signs[old[i]]?.plain ?? ""
      changes.append((i + 1, plain))
      (i, j) = (i + 1, j + plain.unicodeScalars.count)
    }
    var line = String.UnicodeScalarView()
    line.append(contentsOf: new)
    text.replace(line: number, by: String(line), of: old.count, changes)
  }

  /// Whether a value or a key may begin after the character `before`; nil: at the start of a line.
  private static func isBeginning(_ before: Unicode.Scalar?) -> Bool {
    before.map { ":[{,-".unicodeScalars.contains($0) || signs[$0]?.plain == " " } ?? true
  }
}

extension Diagnostic {
  fileprivate static func typographic(
    _ name: String, _ scalar: Unicode.Scalar, _ plain: String, at mark: SourceRange
  ) -> Diagnostic {
    let code = String(hexadecimal: scalar.value, digits: 4, isUppercase: true)
    let place = plain == " " ? "a plain space" : plain
    return Diagnostic(
      "typographic-character",
      plain.isEmpty
        ? "\(name) (U+\(code)) is not allowed here" : "\(name) (U+\(code)) is used instead of \(place)",
      at: mark,
      notes: [plain.isEmpty ? "remove it" : "write \(place)"])
  }
}
