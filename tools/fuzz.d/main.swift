import Glibc

// Started by tools/fuzz in the folder of the repository.
//   Fuzz run COUNT SEED FOLDER     tries mutants, and writes their faults into FOLDER
//   Fuzz hostile PROGRAM FOLDER    tries the hostile files, each by PROGRAM check
//   Fuzz show SEED NUMBER          prints a mutant
//   Fuzz try FILE                  tries one file
//   Fuzz work SEED FROM TO FILE    is started by `run`
// run-import, show-import, try-import and work-import do the same with particle files, run-pictures and so on with
// PNGs, run-audio and so on with audio files, run-fixtures and so on with fixtures and rigs, run-layouts and so on with
// LED layouts.

let words = Array(CommandLine.arguments.dropFirst())
let verb = words.first.map { $0.prefix { $0 != "-" } } ?? ""
let subject = words.first.flatMap { Subject(rawValue: String($0.dropFirst(verb.count))) }

switch (verb, words.count, subject) {
case ("run", 4, let subject?):
  let run = Run(
    count: Int(words[1]) ?? 100_000, seed: UInt64(words[2]) ?? 1, folder: words[3], subject: subject)
  exit(run.run(subject.mutation(words[2])) ? 0 : 1)
case ("hostile", 3, .graphs?):
  exit(HostileTable(program: words[1], folder: words[2]).print() ? 0 : 1)
case ("show", 3, let subject?):
  let bytes = subject.mutation(words[1]).mutant(Int(words[2]) ?? 0)
  _ = write(1, bytes, bytes.count)
case ("try", 2, let subject?):
  Worker.limitMemory()
  guard let progress = Progress(path: "/dev/shm/visgraph-fuzz-\(getpid())") else { exit(1) }
  unlink("/dev/shm/visgraph-fuzz-\(getpid())")
  let trial = subject.trial(beside: words[1])
  Worker(trial: trial, progress: progress).attempt(0, bytes(of: words[1]))
  trial.remove()
case ("work", 5, let subject?):
  Worker.limitMemory()
  guard let progress = Progress(path: words[4]), let from = Int(words[2]), let to = Int(words[3]) else {
    exit(1)
  }
  let trial = subject.trial(beside: words[4])
  Worker(trial: trial, progress: progress).work(from..<to, subject.mutation(words[1]))
  trial.remove()
default:
  say("usage: tools/fuzz [import | fixtures | layouts | pictures | audio] [COUNT] [SEED]", to: 2)
  exit(64)
}

func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { exit(1) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 24)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}
