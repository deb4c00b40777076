import TestSupport
import Testing

/// The desk in a real browser, steering a real show.
@Suite(.serialized) struct DeskPageTests {
  @Test func `a field of the desk moves the setting in the engine, and undo moves it back`() throws {
    let show = try ViewedShow()
    let value = "fetch('/visgraph/node/level/minimum?VALUE').then((answer) => answer.text())"
    // Chooses the node, sets the field, and waits until the graph that the program tells has it.
    let set = """
      (() => {
        const node = [...document.querySelectorAll('.node')].find((one) => one.getAttribute('aria-label').startsWith('level,'));
        if (!node) return false;
        const id = 'set-level-0-minimum';
        if (!document.getElementById(id)) node.dispatchEvent(new MouseEvent('click'));
        const field = document.getElementById(id);
        if (!window.isSet) {
          [window.isSet, window.before, field.value] = [true, field.value, '-70'];
          field.dispatchEvent(new Event('change'));
        }
        const fader = field.parentElement.querySelector('.fader');
        return field.value === '-70' && fader.getAttribute('aria-valuetext').startsWith('-70')
          && document.querySelectorAll('.meter').length === 2 && document.querySelector('.meter .figure').textContent !== '';
      })()
      """
    let undo = """
      new Promise((done) => {
        document.getElementById('undo').click();
        const look = setInterval(() => {
          const field = document.getElementById('set-level-0-minimum');
          if (field.value !== window.before) return;
          clearInterval(look);
          done(field.value);
        }, 20);
      })
      """
    let look = try PageLook(
      "\(show.address)/desk", until: set,
      [value, undo, value, "document.title", "String(document.fonts.size >= 0)"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(look.answers.first == #"{"VALUE":[-70.0]}"#, "\(look)")
    #expect(look.answers.dropFirst().prefix(2) == ["-80", #"{"VALUE":[-80.0]}"#], "\(look)")
    #expect(look.answers[3] == "Stereo sparks – desk")
  }

  @Test func `everything on the desk that acts has a name, and every fader a value`() throws {
    let show = try ViewedShow()
    let named = """
      (() => {
        const name = (one) => one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.[0]?.textContent.trim() || one.title;
        const all = [...document.querySelectorAll('button, input, select, [role=button], [role=meter], iframe')];
        return all.filter((one) => !name(one)).map((one) => one.outerHTML.slice(0, 80)).join();
      })()
      """
    let values = """
      [...document.querySelectorAll('input[type=range]')].filter((one) => one.offsetParent && !one.getAttribute('aria-valuetext'))
        .map((one) => one.getAttribute('aria-label')).filter((name) => !name.includes('volume')).join()
      """
    let look = try PageLook(
      "\(show.address)/desk",
      until: "document.querySelectorAll('.setting').length > 5 && document.querySelector('.player')",
      [named, "new Promise((done) => setTimeout(() => done(\(values)), 800))"])
    #expect(look.isReady && look.answers == ["", ""] && look.log.isEmpty, "\(look)")
  }
}
