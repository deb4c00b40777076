import Glibc
import Graphs
import Nodes

// Started by tools/fuzz in the repository's own folder.
//   Fuzz run COUNT SEED FOLDER     mutants, and what is wrong with them into FOLDER
//   Fuzz hostile PROGRAM FOLDER    the hostile files, each through PROGRAM check
//   Fuzz show SEED NUMBER          prints a mutant
//   Fuzz try FILE                  one file
//   Fuzz work SEED FROM TO FILE    what `run` starts
// run-import, show-import, try-import and work-import do the same with particle files.

let words = Array(CommandLine.arguments.dropFirst())
let mutation = { (seed: String) in
  Mutation(
    corpus: Corpus(
      folders: ["graphs", "Tests/Golden", "tools/fuzz.d/seeds"], catalogue: Catalogue(types: everyNode)),
    seed: UInt64(seed) ?? 1)
}
let trial = Trial(folder: "graphs")
let particles = "tools/fuzz.d/seeds/import"
let importMutation = { (seed: String) in ImportMutation(folder: particles, seed: UInt64(seed) ?? 1) }

switch (words.first, words.count) {
case ("run", 4):
  let run = Run(count: Int(words[1]) ?? 100_000, seed: UInt64(words[2]) ?? 1, folder: words[3])
  exit(run.run(mutation(words[2])) ? 0 : 1)
case ("hostile", 3):
  exit(HostileTable(program: words[1], folder: words[2]).print() ? 0 : 1)
case ("show", 3):
  let bytes = mutation(words[1]).mutant(Int(words[2]) ?? 0)
  _ = write(1, bytes, bytes.count)
case ("try", 2):
  Worker.limitMemory()
  guard let progress = Progress(path: "/dev/shm/visgraph-fuzz-\(getpid())") else { exit(1) }
  unlink("/dev/shm/visgraph-fuzz-\(getpid())")
  Worker(trial: trial, progress: progress).attempt(0, bytes(of: words[1]))
case ("work", 5):
  Worker.limitMemory()
  guard let progress = Progress(path: words[4]), let from = Int(words[2]), let to = Int(words[3]) else {
    exit(1)
  }
  Worker(trial: trial, progress: progress).work(from..<to, mutation(words[1]))
case ("run-import", 4):
  var run = Run(count: Int(words[1]) ?? 100_000, seed: UInt64(words[2]) ?? 1, folder: words[3])
  run.kind = "-import"
  exit(run.run(importMutation(words[2])) ? 0 : 1)
case ("show-import", 3):
  let bytes = importMutation(words[1]).mutant(Int(words[2]) ?? 0)
  _ = write(1, bytes, bytes.count)
case ("try-import", 2):
  Worker.limitMemory()
  guard let progress = Progress(path: "/dev/shm/visgraph-fuzz-\(getpid())") else { exit(1) }
  unlink("/dev/shm/visgraph-fuzz-\(getpid())")
  let trial = ImportTrial(folder: particles)
  Worker(trial: trial, progress: progress).attempt(0, bytes(of: words[1]))
  trial.remove()
case ("work-import", 5):
  Worker.limitMemory()
  guard let progress = Progress(path: words[4]), let from = Int(words[2]), let to = Int(words[3]) else {
    exit(1)
  }
  let trial = ImportTrial(folder: particles)
  Worker(trial: trial, progress: progress).work(from..<to, importMutation(words[1]))
  trial.remove()
default:
  say("usage: tools/fuzz [import] [COUNT] [SEED]", to: 2)
  exit(64)
}

func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { exit(1) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 24)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}
