import FoundationEssentials

/// A value of JSON, whatever it is.
struct DecodedValue: Decodable {
  let value: FileValue

  init(from decoder: any Decoder) throws {
    guard let single = try? decoder.singleValueContainer() else {
      value = .other("a list or a dictionary")
      return
    }
    if single.decodeNil() {
      value = .nothing
    } else if let text = try? single.decode(String.self) {
      value = .text(text)
    } else if let flag = try? single.decode(Bool.self) {
      value = .flag(flag)
    } else if let number = try? single.decode(Double.self) {
      value = .number(number)
    } else {
      value = .other("a list, a dictionary or a number beyond all numbers")
    }
  }
}
