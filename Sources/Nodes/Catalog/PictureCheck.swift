public import Graphs
import Rendering

/// Checks for graph files whether a file is a picture that can be shown. [control]
public let pictureCheck: PictureCheck = { path, pixels in
  do throws(PictureError) {
    let size = try Picture.size(path: path)
    // Before decoding, which takes long.
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
  /// All node types, and the check of pictures.
  public static var full: Catalog { Catalog(types: everyNode, pictures: pictureCheck) }
}
