public import Graphs
import Playback

extension CheckedGraph {
  /// The sample rate of the first file that the graph plays, in Hz; nil when it plays none. [control]
  public var fileRate: Int? {
    for node in nodes {
      guard let settings = node.settings as? PerChannel<FileSource.Settings> else { continue }
      for file in settings.all.path.prefix(FileSource.mostLooked) {
        if let file = try? openAudio(file.path) { return file.format.rate }
      }
    }
    return nil
  }
}
