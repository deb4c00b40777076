/// Values with the names by which pages know them. A record that pages read codes all of its fields so: the readers of
/// Sources/CPages/pages/records.js are generated from its walk (`RecordScript`). [any]
extension ByteCoder {
  package mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ name: StaticString, _ word: inout T) {
    self.name(name)
    code(&word)
  }

  package mutating func code(_ name: StaticString, _ number: inout Float) {
    self.name(name)
    code(&number)
  }

  package mutating func code(_ name: StaticString, _ number: inout Double) {
    self.name(name)
    code(&number)
  }

  package mutating func code(_ name: StaticString, bounded number: inout Double) {
    self.name(name)
    code(bounded: &number)
  }

  package mutating func code(_ name: StaticString, _ flag: inout Bool) {
    self.name(name)
    code(&flag)
  }

  package mutating func code(_ name: StaticString, _ text: inout String) {
    self.name(name)
    code(&text)
  }

  package mutating func code<T: CaseIterable & Equatable>(_ name: StaticString, choice: inout T)
  where T.AllCases == [T] {
    self.name(name)
    code(choice: &choice)
  }

  package mutating func code<T>(
    _ name: StaticString, _ list: inout [T], new: T, _ one: (inout T, inout Self) -> Void
  ) {
    self.name(name)
    code(&list, new: new, one)
  }

  package mutating func codeRest<T: BitwiseCopyable>(_ name: StaticString, of type: T.Type) {
    self.name(name)
    codeRest(of: type)
  }
}
