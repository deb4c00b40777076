// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Sanitizer builds are chosen by the environment. RealtimeSanitizer only asks for another link, so its objects are those
// of the debug build; ThreadSanitizer compiles anew:
//   RTSAN=1 swift test
//   TSAN="$(cat Tests/without-threads.txt)" swift test --scratch-path .build-tsan --sanitize=thread
let environment = ProcessInfo.processInfo.environment
let realtimeSanitizer = environment["RTSAN"] == "1"
let threadSanitizer = environment["TSAN"] != nil
// A build that is made once, such as CI's, compiles whole modules at a time: a fifth less work for what is optimized. A
// change of one file would compile as much again.
let once = environment["CI"] != nil
// tools/bench asks for the program it measures with: BENCH=1 swift build -c release --scratch-path .build-bench
let benchmark = environment["BENCH"] == "1"

let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let wholeModules = ["-whole-module-optimization", "-num-threads", "2"]
/// What the audio callback runs is optimized in debug builds too: a debug run must keep up with a sound card.
let optimized: [SwiftSetting] =
  common + [.unsafeFlags(["-O"] + (once ? wholeModules : []), .when(configuration: .debug))]
/// Node types are most of that, and under ThreadSanitizer few of their tests run: they are not worth the time there.
let optimizedForPlaying: [SwiftSetting] = threadSanitizer ? common : optimized
/// What no sound goes through on its way to be heard or measured is compiled for size: it is most of the program, and gains
/// nothing by speed.
let small: [SwiftSetting] = common + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
/// No contraction and no reassociation: every processor and every build gives the same bytes.
let kernels: [CSetting] = [
  .define("_GNU_SOURCE"),
  .unsafeFlags(["-O2", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Werror"]),
]
/// Every symbol is bound at start, so that none is looked up in the first callback. Libraries in C++ are to delete by the
/// program's `operator delete` (Sources/CSyscalls/deferred_delete.c), and libjack is to cancel its threads by the program's
/// `pthread_cancel` (thread_cancel.c beside it), which they find only if they are exported.
let linking: [LinkerSetting] =
  [
    .linkedLibrary("m"),
    .unsafeFlags(
      ["-z", "now", "--export-dynamic-symbol=_ZdlPv", "--export-dynamic-symbol=pthread_cancel"]
        .flatMap { ["-Xlinker", $0] }),
  ]
  + (realtimeSanitizer ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])] : [])
/// A tenth of the program would be tables for unwinding, which nothing reads: nothing throws through C, and traces of a crash
/// follow frame pointers. Packed relocations make it 0.9 MB smaller; glibc reads them since 2.36.
let unwinding = "\(Context.packageDirectory)/packaging/unwinding.ld"
let packsRelocations = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
  confstr(Int32(_CS_GNU_LIBC_VERSION), name.baseAddress, name.count) > 0
    && String(cString: name.baseAddress!).split(separator: " ").last.flatMap { Double($0) } ?? 0 >= 2.36
}
let smallLinking: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "--no-eh-frame-hdr", "-Xlinker", unwinding], .when(configuration: .release)),
  .unsafeFlags(
    packsRelocations ? ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"] : [],
    .when(configuration: .release)),
]

/// A test target whose folder has the name of what it tests.
func tests(of module: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: (module == "System" ? [] : [.target(name: module)]) + ["System", "TestSupport"]
      + dependencies,
    path: "Tests/\(module == "visgraph" ? "Command" : module)",
    // Nothing imports a test. What depends on CGuard, or on the program, is looked at once more for RealtimeSanitizer, and
    // then only a compiler of single files sees that there is nothing to do.
    swiftSettings: common
      + (once && !["Engine", "Nodes", "visgraph"].contains(module)
        ? [.unsafeFlags(wholeModules + ["-no-emit-module-separately-wmo"])] : []),
    linkerSettings: linking)
}

/// What tools/bench measures inside one process, and what a kernel is compared with.
let benchmarks: [Target] = [
  .executableTarget(
    name: "Benchmark",
    dependencies: [
      "CBenchmark", "CRealtime", "Engine", "Graphs", "Hosts", "Nodes", "Particles", "Realtime", "Rendering",
    ],
    path: "tools/bench.d/Benchmark", swiftSettings: common, linkerSettings: linking),
  .target(name: "CBenchmark", path: "tools/bench.d/CBenchmark", cSettings: kernels),
]

let package = Package(
  name: "visgraph",
  // Loaded before the program by tests.
  products: [.library(name: "Faults", type: .dynamic, targets: ["CFaults"])],
  traits: [
    // AAC, ALAC, iLBC and whatever else libsndfile does not read. `--disable-default-traits` builds without it.
    .trait(
      name: "FFmpeg", description: "Decodes with the libraries of FFmpeg what libsndfile does not read."),
    .default(enabledTraits: ["FFmpeg"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // The command: one file per subcommand.
    .executableTarget(
      name: "visgraph",
      dependencies: [
        "CGuide", "CQrencode", "CRealtime", "CZlib", "Controls", "DMX", "Engine", "Graphs", "Hosts",
        "Importers", "Metering", "Nodes", "OSC", "Particles", "Playback", "Realtime", "Rendering", "System",
        "Tables", "Viewer", "Zeroconf",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: small, linkerSettings: linking + smallLinking),
    // The pages in a browser, stage and desk, and the server that feeds them.
    .target(
      name: "Viewer",
      dependencies: [
        "CPages", "CZlib", "Controls", "DMX", "Engine", "Graphs", "Nodes", "OSC", "Particles", "Playback",
        "Realtime", "Rendering", "System",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ], swiftSettings: small),
    // The pages themselves, as bytes in the program.
    .target(name: "CPages", exclude: ["pages"], cSettings: kernels),
    // What a running show can be asked, and the port that takes it by OSC.
    .target(
      name: "Controls",
      dependencies: ["Engine", "Graphs", "MPRIS", "Nodes", "OSC", "Playback", "Realtime", "System"],
      swiftSettings: small),
    // Media keys and desktops, over D-Bus; knows no graph.
    .target(name: "MPRIS", dependencies: ["CDbus", "DBus", "System"], swiftSettings: small),
    // Services of this machine, announced to its networks by Avahi, over D-Bus; knows no graph.
    .target(name: "Zeroconf", dependencies: ["CDbus", "DBus", "System"], swiftSettings: small),
    // Messages on a message bus, for one thread that never waits for it.
    .target(name: "DBus", dependencies: ["CDbus"], swiftSettings: small),
    // Who calls the engine: JACK, a timer, or nobody but the processor.
    .target(
      name: "Hosts", dependencies: ["CJack", "CRealtime", "Engine", "Graphs", "Realtime", "System"],
      swiftSettings: optimizedForPlaying),
    // One folder per node type, and the catalog of them.
    .target(
      name: "Nodes",
      dependencies: [
        "CRealtime", "DMX", "Engine", "Graphs", "Importers", "Metering", "OSC", "Particles", "Playback",
        "Realtime", "Rendering", "System",
      ],
      swiftSettings: optimizedForPlaying),
    // From a checked graph to a plan that runs: what nodes are made of, the compiler, the engine in the callback, frames.
    .target(
      name: "Engine", dependencies: ["CRealtime", "Graphs", "Realtime", "System"], swiftSettings: optimized),
    // From a graph file to a checked graph; what a node declares; diagnostics; schema. Knows nothing that runs.
    .target(
      name: "Graphs", dependencies: ["CYaml", "DMX", "OSC", "Particles", "System"], swiftSettings: small),
    // Audio files, decoding, disk streaming.
    .target(
      name: "Playback",
      dependencies: [
        .target(name: "CFfmpeg", condition: .when(traits: ["FFmpeg"])), "CExpat", "CRealtime", "CSndfile",
        "CSoundTouch", "CSoxr", "CUchardet", "Realtime", "System",
      ], swiftSettings: optimized),
    // The decoders of FFmpeg, loaded when a file needs them.
    .target(name: "CFfmpeg", cSettings: kernels),
    // Particle files, lamps and layouts of LEDs of other programs; knows no graph.
    .target(
      name: "Importers",
      dependencies: ["CExpat", "CTiff", "CZlib", "DMX", "Particles", "Rendering", "System"],
      swiftSettings: common),
    // Particles to pixels, pictures, video; knows no audio file and no graph.
    .target(
      name: "Rendering", dependencies: ["CPng", "CRendering", "Particles", "System"], swiftSettings: optimized
    ),
    // Layers, cells, simulation; knows no audio and no graph.
    .target(name: "Particles", dependencies: ["CParticles", "System"], swiftSettings: optimized),
    // Decibels, ballistics, MeterTable, loudness, spectra; knows no graph.
    .target(name: "Metering", dependencies: ["CRealtime"], swiftSettings: optimized),
    // Rows and columns into files that other programs query; knows nothing of what they hold.
    .target(name: "Tables", dependencies: ["CSqlite", "CZlib", "System"], swiftSettings: small),
    // Universes of DMX and their packets by sACN and Art-Net; knows no graph and no socket.
    .target(name: "DMX", swiftSettings: common),
    // Messages and targets; knows no graph.
    .target(name: "OSC", dependencies: ["CLiblo", "System"], swiftSettings: common),
    // The words the audio callback may use.
    .target(name: "Realtime", dependencies: ["CRealtime", "System"], swiftSettings: optimized),
    // What we ask of the operating system: threads, locks, clocks, descriptors, files, child processes; random streams.
    // The C library has the names that others ask for most: named here, it is looked through before those of packages.
    .target(
      name: "System", dependencies: ["CSyscalls"],
      swiftSettings: optimized + [.unsafeFlags(["-Xfrontend", "-autolink-library", "-Xfrontend", "c"])]),
    // What Swift does not import of the system's calls.
    .target(name: "CSyscalls", cSettings: kernels),
    // The guide to the graph language, as bytes in the program.
    .target(name: "CGuide", cSettings: kernels),
    // The few kernels in C, with the compiler's checks on them.
    .target(name: "CRealtime", cSettings: kernels),
    // The kernels of the simulation.
    .target(name: "CParticles", dependencies: ["CRealtime"], cSettings: kernels),
    // The kernels of the renderer.
    .target(name: "CRendering", dependencies: ["CRealtime"], cSettings: kernels),

    // Module maps of system libraries.
    .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CSoundTouch", providers: [.apt(["libsoundtouch-dev"])]),
    .systemLibrary(name: "CDbus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CPng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CQrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),
    .systemLibrary(name: "CSqlite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CTiff", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),

    // What tests share: polling with a deadline, an engine advanced by hand, JACK servers and clients, receivers of OSC,
    // child processes, temporary folders, files of what is expected.
    .target(
      name: "TestSupport",
      dependencies: ["CGuard", "CJack", "CRealtime", "Engine", "OSC", "Playback", "Realtime", "System"],
      path: "Tests/Support",
      swiftSettings: common),
    // Minutes of sound for tests, which are not optimized: made at full speed, and written as wave files.
    .target(name: "TestSounds", dependencies: ["CRealtime"], path: "Tests/Sounds", swiftSettings: optimized),
    // Counts what the audio callback must not do, by standing in front of the runtime and libc.
    .target(
      name: "CGuard", path: "Tests/CGuard",
      cSettings: realtimeSanitizer || threadSanitizer ? [.define("VG_GUARD_RUNTIME_ONLY")] : []),
    // Has a thread of the program crash.
    .target(name: "CFaults", path: "Tests/CFaults", cSettings: kernels),
    // The kernels once more, every clone under a name of its own, so that they can be compared.
    .target(
      name: "CKernelClones", dependencies: ["CRealtime"], path: "Tests/CKernelClones", cSettings: kernels),
    .target(
      name: "CRenderingClones", dependencies: ["CRendering"], path: "Tests/CRenderingClones",
      cSettings: kernels),
    .target(
      name: "CParticleClones", dependencies: ["CParticles", "CRealtime"], path: "Tests/CParticleClones",
      cSettings: kernels),
    tests(of: "System", []),
    tests(of: "Realtime", ["CRealtime", "CKernelClones"]),
    tests(of: "Engine", ["CRealtime", "CGuard", "Graphs", "Realtime"]),
    // A second opinion on loudness, for tests.
    .systemLibrary(
      name: "CEbur128", path: "Tests/CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]
    ),
    tests(of: "Metering", ["TestSounds"]),
    tests(of: "Particles", ["CParticleClones", "CParticles", "CRealtime"]),
    tests(of: "Rendering", ["CPng", "CRealtime", "CRendering", "CRenderingClones", "Particles"]),
    tests(of: "Importers", ["CZlib", "Graphs", "Particles", "Rendering"]),
    tests(of: "DMX", []),
    tests(of: "Tables", []),
    tests(of: "OSC", ["CLiblo"]),
    tests(of: "MPRIS", ["CDbus", "DBus"]),
    tests(of: "Zeroconf", ["CDbus", "DBus"]),
    tests(
      of: "Viewer",
      [
        "Controls", "Engine", "Graphs", "Nodes", "OSC", "Particles", "Realtime", "Rendering",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ]),
    tests(
      of: "Controls",
      ["CLiblo", "Engine", "Graphs", "Hosts", "MPRIS", "Nodes", "OSC", "Particles", "Playback", "Realtime"]),
    tests(of: "Playback", ["CRealtime", "CSndfile", "Realtime", "TestSounds"]),
    tests(of: "Graphs", ["OSC", "Particles"]),
    tests(
      of: "Nodes",
      [
        "CEbur128", "CRealtime", "CGuard", "DMX", "Engine", "Graphs", "Metering", "OSC", "Particles",
        "Playback",
        "Realtime", "Rendering", "TestSounds",
      ]),
    tests(of: "Hosts", ["CJack", "CRealtime", "Engine", "Graphs", "Nodes", "Playback", "Realtime"]),
    tests(
      of: "visgraph",
      [
        "CGuard", "CJack", "Controls", "Engine", "Graphs", "Hosts", "Metering", "Nodes", "OSC", "Particles",
        "Playback",
        "Rendering", "TestSounds",
      ]),
  ] + (benchmark ? benchmarks : [])
)

// ThreadSanitizer is there for the hand-overs between threads: what no test of those needs is not compiled for it. What one
// thread computes takes many times as long under it.
if threadSanitizer {
  let unthreaded = [
    "visgraph", "visgraphTests", "DMXTests", "ImportersTests", "GraphsTests", "MeteringTests",
    "Viewer",
    "ViewerTests", "CPages", "Tables", "TablesTests", "CKernelClones", "CParticleClones", "CRenderingClones",
  ]
  package.targets.removeAll { unthreaded.contains($0.name) }
  for target in package.targets {
    target.dependencies.removeAll {
      if case .byNameItem(let name, _) = $0 { unthreaded.contains(name) } else { false }
    }
  }
  // The list comes by the environment, as SwiftPM evaluates a manifest again only when that or its text differs.
  for line in environment["TSAN", default: ""].split(separator: "\n") where line.first != "#" {
    // A name that nothing has would leave nothing out, without a word.
    precondition(
      FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests/\(line)"), "no Tests/\(line)")
    let parts = line.split(separator: "/", maxSplits: 1)
    package.targets.first { $0.name == "\(parts[0])Tests" }?.exclude.append(String(parts[1]))
  }
}

// Looks for graph files that crash, hang or swallow memory; tools/fuzz builds and runs it.
if environment["FUZZ"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "Engine", "Graphs", "Hosts", "Importers", "Nodes", "OSC", "Playback", "Realtime", "Rendering",
        "System",
      ],
      path: "tools/fuzz.d", exclude: ["control", "jack", "seeds", "view"], swiftSettings: common,
      linkerSettings: linking))
}
