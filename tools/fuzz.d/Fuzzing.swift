/// A source of mutants.
protocol MutantSource {
  /// Mutant number `number`, always the same.
  func mutant(_ number: Int) -> [UInt8]
  /// A short description of the seeds.
  var words: String { get }
}

/// What has to hold for any bytes.
protocol MutantTrial {
  /// Tries some bytes. Calls `running` after reading, before the result is used.
  func outcome(of bytes: [UInt8], running: () -> Void) throws -> Trial.Outcome
  /// Removes the written files.
  func remove()
}

extension Mutation: MutantSource {
  var words: String { "\(corpus.files.count) graphs" }
}

extension Trial: MutantTrial {
  /// Does nothing: this trial writes no file.
  func remove() {}
}
