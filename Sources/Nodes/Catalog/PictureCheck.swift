public import Graphs
import Rendering

/// Whether a file is a picture that can be shown, for the check of graph files. [control]
public let pictureCheck: PictureCheck = { path, pixels in
  do throws(PictureError) {
    let size = try Picture.size(path: path)
    // Before it is unpacked, which takes its time.
    guard pixels + size.width * size.height <= Picture.mostInAll else {
      return (
        "pictures-too-large",
        "\(path): with it the pictures of the graph have more than \(Picture.mostInAll) pixels in all; "
          + "make them smaller, or put several into one and show parts of it by contentsRect"
      )
    }
    _ = try Picture.read(path: path)
    pixels += size.width * size.height
    return nil
  } catch {
    return (error.code, error.message)
  }
}

extension Catalog {
  /// Every node type there is, and pictures looked at while a file is checked.
  public static var full: Catalog { Catalog(types: everyNode, pictures: pictureCheck) }
}
