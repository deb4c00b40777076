public import Graphs
public import OSC

extension ViewServer {
  /// Opens a server for a show; nil: the settings say `off`.
  ///
  /// - Throws: if no port can be opened.
  public static func open(_ settings: ViewSettings, _ sources: ViewSources) throws(ListenError) -> ViewServer?
  {
    try open(settings, sources.notify) { ViewHub(sources, $0, on: $1) }
  }
}
