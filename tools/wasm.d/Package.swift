// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The modules of the pages, in Embedded Swift without a C library, from the sources of visgraph itself. tools/wasm links the
// sources beside this file, and says by the environment what is built:
//   WASM=stage      the simulation
//   WASM=renderer   the simulation and the renderer
//   WASM=levels     what the playground hears with
//   SIMD=1          with vectors
let environment = ProcessInfo.processInfo.environment
let module = environment["WASM"] ?? "stage"
let draws = module == "renderer"

/// The renderer alone gains by vectors. The simulation does without: on 32-bit ARM they would round to other bits.
let vectors = environment["SIMD"] == "1" ? ["-msimd128"] : []
let headers = ["-I\(Context.packageDirectory)/Sources/CRealtime/include"]
/// As in the program: every processor and every build gives the same bytes.
let kernels: [CSetting] = [
  .define("_GNU_SOURCE"),
  .unsafeFlags(
    ["-O2", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Werror"] + headers + vectors),
]
let embedded: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Embedded"), .enableExperimentalFeature("Extern"),
  .unsafeFlags(
    ["-wmo", draws ? "-O" : "-Osize", "-parse-as-library", "-Xfrontend", "-disable-stack-protector"]
      + headers.flatMap { ["-Xcc", $0] }),
]

/// What a page calls.
func calls(_ name: String, _ dependencies: [String], exclude: [String] = []) -> Target {
  let flags = [
    "--no-entry", "--export-memory", "--gc-sections", "--strip-all", "-z", "stack-size=65536",
    "--stack-first",
    "--max-memory=1073741824",
  ]
  return .executableTarget(
    name: name, dependencies: dependencies.map { .target(name: $0) }, exclude: exclude,
    swiftSettings: embedded,
    linkerSettings: [.unsafeFlags(["-Xclang-linker", "-nostdlib"] + flags.flatMap { ["-Xlinker", $0] })])
}

let levels: [Target] = [
  calls("Levels", ["CLevels", "CWasm", "Metering"]),
  .target(
    name: "Metering", sources: ["Ballistics.swift", "Decibels.swift", "DriveMap.swift", "MeterTable.swift"],
    swiftSettings: embedded),
  .target(name: "CLevels", cSettings: kernels),
]
let simulation: [Target] = [
  calls(
    "Stages", ["CWasm", "Particles", "System"] + (draws ? ["Rendering"] : []), exclude: draws ? [] : ["Paint"]
  ),
  // Key paths are what Embedded Swift lacks, and a page has no use for names and help of numbers.
  .target(
    name: "Particles", dependencies: ["CParticles", "System"], exclude: ["Numbers"], swiftSettings: embedded),
  .target(name: "System", path: "Sources/System/Anywhere", swiftSettings: embedded),
  .target(name: "CParticles", cSettings: kernels),
]
/// Canvas and textures; pictures are read and films made elsewhere.
let renderer: [Target] = [
  .target(
    name: "Rendering", dependencies: ["CRendering", "Particles", "System"],
    exclude: ["Pictures/Picture+Read.swift", "Pictures/Picture+Write.swift"],
    sources: ["Canvas", "Pictures"],
    swiftSettings: embedded),
  .target(name: "CRendering", exclude: ["leds.c", "planes.c"], cSettings: kernels),
]

let package = Package(
  name: "pages",
  targets: [
    // What is asked of a C library.
    .target(name: "CWasm", cSettings: kernels + [.unsafeFlags(["-fno-builtin"])])
  ] + (module == "levels" ? levels : simulation + (draws ? renderer : [])))
