public import CGuard

extension guard_counts {
  /// Whether nothing was counted.
  public var isClean: Bool {
    references + objects + accesses + onces + metadata + allocations + frees + locks + waits + calls == 0
  }
}
