import Engine
import Graphs
import Nodes

/// The docs of the control port, made of the declarations of its commands.
public enum ControlReference {
  /// One line for each command, for a terminal.
  public static var text: String {
    ControlCommandTable.all.map { "\($0.usage)\n    \($0.help)\n" }.joined()
  }

  /// The commands whose addresses have no ID, for OSCQuery and the rights of viewers.
  package static var plainAddresses: [(address: String, arguments: String, help: String)] {
    ControlCommandTable.all.filter { !$0.address.contains("ID") }.map { ($0.address, $0.arguments, $0.help) }
  }

  /// All docs as a page of Markdown.
  public static var markdown: String {
    let rows = ControlCommandTable.all.filter { !$0.address.hasPrefix("/visgraph/node/ID/transport/") }
      .map { "| `\($0.address)` | \(cell($0.arguments)) | \(cell($0.help)) |\n" }.joined()
    let snapshot = PlayerFact.all.map { "| `\($0.name)` | \(cell($0.help)) |\n" }.joined()
    return introduction + rows + faders + lights + life + answers + snapshot + feedback + peers
      + KeyReference.section + scores
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }

  /// The settings of `control:` in a graph file.
  private static var fields: String {
    ControlSettings.fields.map { "| `\($0.name)` | \(cell($0.kind.words)) | \(cell($0.help)) |\n" }.joined()
  }

  private static let introduction = """
    # The control port

    Written by tools/generate from the declarations of the commands; do not edit.

    While `visgraph run` runs it takes OSC at 127.0.0.1, port \(ControlPort.standard), or the next free one (printed at \
    the start), by UDP and by TCP: with a size before each packet (OSC 1.0) or SLIP (OSC 1.1), whichever the other end \
    begins with. `--control PORT` takes that one and no other, `--control off` none.

    Only this machine is heard. For phones, desks and other computers state where to listen and which machines may send:

    ```sh
    visgraph run GRAPH --control 0.0.0.0:\(ControlPort.standard) --allow 192.168.1.0/24
    ```

    or in the graph, which the command line overrides:

    ```yaml
    control: { listen: 0.0.0.0:\(ControlPort.standard), allow: [192.168.1.0/24], key: a-word-of-ours }
    ```

    | control | takes | is |
    |---|---|---|
    \(fields)
    Messages of other machines are not answered and do nothing; they are reported once a minute. A TCP connection \
    that begins with anything but OSC, as those of browsers do, is closed. A message that is refused is answered, and \
    reported on the screen and in the log (at most once a second for each kind of fault); with `-v` messages that act \
    are reported as well. `--log-control FILE` records all.

    ```sh
    oscsend localhost \(ControlPort.standard) /visgraph/master f 0.5
    oscsend localhost \(ControlPort.standard) /visgraph/node/gain/gain f -6
    oscsend localhost \(ControlPort.standard) /visgraph/transport/seek f 30
    ```

    A wrong message is answered with `/visgraph/error ADDRESS REASON`, and changes nothing. Numbers may come as `i`, \
    `f`, `h`, `d` or as text. Commands with `[1]` act without an argument or with one that is not 0: 0 and `F` are a \
    button that is released. Messages of a bundle act in order, at once; one with a type tag that OSC 1.0 does not \
    know is left out alone, and reported. Type tags may be missing where there are no arguments. Patterns (`*` `?` `[ \
    ]` `{ }`) are understood for ids of nodes and for channels: `/visgraph/node/*/mute`. Files that messages name \
    must lie in the graph's folder or below, after links are followed; the files that a playlist there names may lie \
    anywhere.

    Every `/visgraph/transport/…` acts on all players of the graph, `/visgraph/node/ID/transport/…` on one.

    | address | arguments | does |
    |---|---|---|

    """

  private static var faders: String {
    let places: [Float] = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    let examples = [
      ("gain", "gain", "gain"), ("frequency", "filter", "frequency"), ("time", "meter", "hold"),
      ("number", "file-source", "volume"),
    ].compactMap { name, node, setting in
      everyNode.first { $0.name == node }?.setting(at: setting).map { (name: name, kind: $0.kind) }
    }
    let rows = examples.map { example in
      let values = places.map { place -> String in
        let value = example.kind.value(atFader: place).flatMap { Quantity($0.text)?.number } ?? 0
        return example.kind.faderLaw == .console && place == 0 ? "silence" : threeFigures(value)
      }
      return "| \(example.name), \(example.kind.span ?? "") | \(values.joined(separator: " | ")) |\n"
    }
    return """

      ## Faders

      \(FaderLaw.allCases.map { "- \($0.rawValue): \($0.words)" }.joined(separator: "\n"))

      `visgraph nodes TYPE` says which of them a setting has; linear is the default. Above the fader's top a gain \
      goes by `/visgraph/node/…` alone.

      | place | \(places.map { "\($0)" }.joined(separator: " | ")) |
      |---|\(places.map { _ in "---|" }.joined())
      \(rows.joined())
      """
  }

  private static var lights: String {
    let rows = Dimmed.allCases.map { "| \($0.name) | \($0.underMaster) | \($0.inBlackout) |\n" }.joined()
    return """

      ## The master and the blackout

      They act on all that outputs and emitters send; sound, pictures and files of levels stay as they are.

      | what is sent | the master | a blackout |
      |---|---|---|
      \(rows)
      """
  }

  private static var life: String {
    let states = LifeCycle.State.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    let rows = LifeEvent.allCases.map { "| `\($0.rawValue)` | \(cell($0.moment)) |\n" }.joined()
    return """

      ## Hooks

      A show is in one of the states \(states): `/visgraph/status/state`. What happens to it is counted since the \
      start: `/visgraph/status/event/EVENT COUNT`, so that nothing is missed if a datagram gets lost. When it \
      happens, the `hooks:` of a graph send messages, which are written as they are sent: `/visgraph/scene storm 2` \
      to this show, `osc.udp://127.0.0.1:9000/alarm 1` to another program; a text with spaces stands between double \
      quotes. `check` checks all of them.

      | event | happens when |
      |---|---|
      \(rows)
      A hook runs \(Int(HookRunner.burst)) times in a short while at most, then every \(Int(HookRunner.rest)) s, so \
      hooks that trigger each other in a loop do no harm. A message to a host whose name is not found yet, or whose \
      TCP connection is lost, is sent once it can be, within \(Int(MessageSender.timeout)) s. Neither sound, nor \
      lights, nor the end wait for a hook. Offline no hook runs.

      """
  }

  /// A number rounded to three digits, for a table.
  private static func threeFigures(_ number: Double) -> String {
    var scale = 1.0
    while abs(number) * scale < 100, scale < 1000 { scale *= 10 }
    return shortest((number * scale).rounded() / scale)
  }

  private static let feedback = """

    ## What subscribers receive

    After `/visgraph/subscribe`, or as `feedback` of the graph without asking: all of it at first, then what changes, \
    in bundles of at most \(Feedback.mostBytes) bytes; and, because datagrams get lost, everything again little by \
    little within \(Int(Feedback.refresh)) s:

    | address | is |
    |---|---|
    | `/visgraph/level/ID/N` | the level of channel N of a node (`ID.PORT` for ports other than the first) |
    | `/visgraph/node/ID/SETTING` | every setting that is a number (in its own unit), a word, or a flag (1 or 0), at the \
    address that sets it; those of single channels at `/visgraph/node/ID/N/SETTING` |
    | `/visgraph/fader/ID/SETTING`, `/visgraph/fader/ID/N/SETTING` | where the fader of a number stands, 0…1 |
    | `/visgraph/master`, `/visgraph/blackout` | as they are set |
    | `/visgraph/scene`, `/visgraph/scene/progress` | the scene, from the moment on at which it is asked for, and how far \
    the show has come there, 0…1; where the graph has scenes |
    | `/visgraph/cue`, `/visgraph/cue/next` | number and label of the cue that was gone to last and of the one that comes \
    next, as text, empty where there is none; where the graph has cues |
    | `/visgraph/cue/left` | in how many seconds the next cue comes by itself, in tenths; without arguments while it waits \
    for a go, as it does after back and stop |
    | `/visgraph/status/…` | the facts of the status except `timeline` and `running`; `fault/N` is empty once that is \
    well again, and a fact that is no longer known comes without arguments |

    A pattern selects addresses by their first parts: `/visgraph/level/meter`, `/visgraph/node/*/gain`. There may be \
    \(Feedback.most) subscriptions, \(Feedback.mostOfOne) of one sender. The control port's own thread serves them: a \
    subscriber that does not read delays no light.

    """

  private static let scores = """

    ## Control scores

    `visgraph run GRAPH --record-control show.osc` records what the show is asked for by OSC, keys, media keys and pages. \
    `visgraph render GRAPH --control show.osc -o show.mp4` plays it back offline: the same levels, packets and pictures to \
    the byte, whatever the length of a cycle, at the same sample rate. Below 25 frames a second, or while the sound server \
    hangs, a blackout and a master of 0 do not wait for their frame while they are recorded: lights were dark that much earlier. `visgraph run GRAPH --control-score show.osc` plays \
    it back live: each command acts in its frame as long as the machine keeps up and cycles are no longer than a frame, else \
    in the next one that there is.

    The file has the form of `render -o packets.osc`: entries in order of time, each a 32-bit big-endian size and a \
    bundle whose time tag counts seconds of the timeline; at most \(ControlScore.mostBytes >> 20) MB: a longer \
    recording ends there, which is reported at once. One that is cut off at its end, as by a crash or a full disk, is \
    played as far as it is whole, which is reported as well. Its messages are those above, so a score can be written \
    by hand or by another program. A message acts from the start of the first frame that begins at its time or later.

    A recording has the commands that acted, not the packets as they came: commands that were understood and allowed, \
    from any source, each with the start of the frame in which it acted. So a score needs no network, key or rate to \
    be played back, and a packet that was refused is not in it. A command whose result depends on the moment is \
    recorded as what it came to: `skip` as `seek`, `toggle` as `play` or `pause`, `next` as `track`; a fade of a \
    setting as the values it went through, and so a scene, whether a message, a key or an event asked for it. While a \
    recording is played back, events go to no scenes by themselves, no alarm runs, and hooks only tell other \
    programs. Three messages stand in scores alone: `/visgraph/score/begin VERSION` says that a run was recorded, \
    `/visgraph/score/end` where it ended, and `/visgraph/score/turn ID [POSITION BEHIND]` when the disk of a player \
    had ready what it was asked for.

    While a run is recorded, or plays a score, commands act at starts of frames alone, the master and the blackout \
    too: at most a frame later than else; what comes by hand while an entry of a score that is played live is on its \
    way acts with that, up to \(Int(1000 * ScorePlayer.lead)) ms later. While a score is played, a blackout and a \
    master of 0 that come by hand wait for neither. Where several frames come at once, all of them are sent, not the \
    newest alone. Not recorded are `subscribe`, `status`, `key` and what reads, loads or saves graphs; in a \
    score that is written by hand, and offline in a cue, these do nothing, and the last are reported once. What `--set` \
    sets is given again with `--set`. Frames that a machine merged because it was too slow, a sound server that went, \
    sound from outside (`render --input`) and players that follow JACK's transport cannot be played back from a \
    score; sound banks fired by events need `events: frame`, as always where live and offline are to be the same.

    """

  private static let answers = """

    ## Fades

    The master, and every setting that is a number, take a time behind the value: `/visgraph/master 0 5` is dark in 5 s, \
    `/visgraph/node/gain/gain -12 2.5` and `/visgraph/fader/gain/gain 0 4` likewise. \(NumberSetting.wayWords) A third argument \
    `linear` makes it a straight line in the setting's own unit. A fade begins where the number is, so the next message \
    for the same setting takes over without a jump; one without a time ends it at once. It goes on across reloads; \
    `/visgraph/graph/load` ends all but that of the master. It moves once a frame, a setting at most some 60 times a \
    second, and ends exactly at the value. \
    `volume` and `pan` of the transport move sample by sample, `volume` along the same way; a new `rate` is there at once, in a \
    crossfade of 10 ms.

    ## Scenes

    `/visgraph/scene storm 3` goes to the scene `storm` of the graph in 3 s. All that it changes begins in one frame: \
    numbers go as in a fade, colors in a straight line of OKLab, in which equal steps look equal, lists of numbers \
    and colors of one length entry by entry. A setting that cannot fade (a word, a flag, a list of another length) \
    changes in that first frame; a file, as soon as it is read; an entry of a list, or a setting of a node that \
    others are `like`, once it has been checked. A scene that comes before the last one has arrived takes over from \
    where each setting is. A setting that was changed by hand stays if no scene sets it; otherwise the scene sets it \
    again. No scene changes what the command line sets. A message for the scene that runs begins it anew; an event \
    for it does nothing. `/visgraph/graph/save` writes what a scene sets into the scene that runs.

    ## Cues

    `/visgraph/cue/go` goes to the next of the `cues:` of the graph, in the order of their numbers, or to the one \
    that the last cue names as `link`; at first to the first. A cue goes to its scene and sends its messages to the \
    show; all settings of both begin in one frame; if both set one, the message counts. `/visgraph/cue/goto 2.5` goes \
    to that cue and on from there. `/visgraph/cue/back` goes to the cue with the previous number and waits there. \
    Both restore the look that all cues before that one would have led to (scene, settings, master, blackout; not \
    players and sounds), unless the graph has `tracking: false`: then what other cues have done is not undone.

    A cue with `continue` goes on to the next by itself, so many seconds after it was gone to, one with `follow` so \
    many seconds after its scene, and the scenes and fades of its messages, are there. Seconds go by frames, as those \
    of fades: a chain of follow-ons keeps its time. A go while a cue waits goes to that cue at once; \
    `/visgraph/cue/stop` cancels it. A circle of follow-ons has to take \(shortest(1)) s or more, not counting its \
    messages, or `check` refuses it. A graph that is read again stays at its cue; if that number no longer exists, it \
    goes on from there. `/visgraph/graph/load` begins before the first.

    ## What `/visgraph/status` answers

    Each fact goes to the sender at `/visgraph/status/FACT`; facts that are not known are left out. `visgraph status` \
    prints it; its exit code is 0 when the show is healthy, else 1.

    | fact | arguments | is |
    |---|---|---|
    \(ShowFact.all.map { "| `\($0.name)` | \(cell($0.usage)) | \(cell($0.help)) |\n" }.joined())\
    | `node/ID/FACT` | | for every player, a fact of the table below |
    | `end` | N | where N messages came before |

    Of each player:

    | fact | is |
    |---|---|

    """
}
