public import Graphs
public import OSC

extension ViewServer {
  /// Begins to serve a show; nil where that is not wanted.
  ///
  /// - Throws: why the port cannot be had.
  public static func open(_ settings: ViewSettings, _ sources: ViewSources) throws(ListenError) -> ViewServer?
  {
    try open(settings, sources.notify) { ViewHub(sources, $0, on: $1) }
  }
}
