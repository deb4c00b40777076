import ArgumentParser
import Glibc
import Importers
import Rendering

/// `visgraph import FILE`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Writes an emitter file from a particle file of another program, with its texture.",
    discussion: """
      FILE is a .plist of cocos2d and Particle Designer, a .pex of Starling, or a .ped of UIEffectDesigner. What could \
      not be carried over is listed here and at the top of the written file.
      """)

  @Argument(help: ArgumentHelp("The particle file.", valueName: "file")) var file: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Where to; FILE's name with .yaml in the current folder unless told.", valueName: "out.yaml"))
  var output: String?

  @Flag(help: "Leaves the texture away; the built-in soft light stands in.") var withoutTexture = false

  @Flag(help: "Writes over files that exist.") var force = false

  func validate() throws {
    if let output, !output.hasSuffix(".yaml"), !output.hasSuffix(".yml") {
      throw ValidationError("-o \(output): the name ends in .yaml")
    }
  }

  func run() throws {
    let imported: ParticleImport
    do throws(ImportError) {
      imported = try ParticleImport.read(path: file, withTexture: !withoutTexture)
    } catch {
      let isTexture = error.code.contains("texture")
      printNote(
        "visgraph: \(error.message)" + (isTexture ? "; --without-texture imports it without" : "")
          + " [\(error.code)]")
      throw ExitCode.faulty
    }
    do throws(ImportedFiles.WriteError) {
      let written = try ImportedFiles(output: output, of: file, replacing: force).write(imported)
      for line in imported.noteLines { printNote(line) }
      for path in written { printResult(path) }
    } catch {
      printNote("visgraph: \(error.message)")
      throw ExitCode.failed
    }
  }
}
