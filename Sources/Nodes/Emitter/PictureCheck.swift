public import Graphs
import Rendering

/// Whether a file is a picture that can be shown, for the check of graph files. [control]
public let pictureCheck: PictureCheck = { path in
  do throws(PictureFault) {
    _ = try Picture.read(path: path)
    return nil
  } catch {
    return (error.code, error.sentence)
  }
}

extension Catalogue {
  /// Every node type there is, and pictures looked at while a file is checked.
  public static var full: Catalogue { Catalogue(types: everyNode, pictures: pictureCheck) }
}
