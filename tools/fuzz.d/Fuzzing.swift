/// Where mutants come from.
protocol MutantSource {
  /// Mutant number `number`, always the same.
  func mutant(_ number: Int) -> [UInt8]
  /// What they are made of, in a few words.
  var words: String { get }
}

/// What must hold of any bytes at all.
protocol MutantTrial {
  /// Tries some bytes; `running` is called when reading is over and what was read is put to use.
  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome
  /// Removes files that it has written.
  func remove()
}

extension Mutation: MutantSource {
  var words: String { "\(corpus.files.count) graphs" }
}

extension Trial: MutantTrial {
  /// It writes none.
  func remove() {}
}
