// Checks whether a page is usable: nothing is wider than the window, parts do not overlap, figures have room, and a
// click at the middle of every control hits that control. Run in the page. `layoutFaults()` returns a line for each
// fault, in every part that a phone shows by itself.
globalThis.layoutFaults = async () => {
  const faults = new Set();
  const name = (one) => `${one.localName}${one.id ? `#${one.id}` : ""}.${[...one.classList].join(".")} ${one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 30)}`;
  const isSeen = (one) => one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && one.getClientRects().length > 0;
  const seen = (words) => [...document.querySelectorAll(words)].filter(isSeen);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

  const lookAtBoxes = (place) => {
    for (const one of [document.documentElement, document.body, document.querySelector("main")]) {
      const room = one === document.documentElement ? innerWidth : one.clientWidth;
      if (one.scrollWidth > room) faults.add(`${place}: ${one.localName} is ${one.scrollWidth} wide in ${room}`);
    }
    const parts = seen("main section");
    for (const [index, part] of parts.entries()) {
      const box = part.getBoundingClientRect();
      if (box.left < -1 || box.right > innerWidth + 1) faults.add(`${place}: ${name(part)} is cut off`);
      for (const other of parts.slice(index + 1)) {
        if (meet(box, other.getBoundingClientRect())) faults.add(`${place}: ${name(part)} meets ${name(other)}`);
      }
    }
    // A fixed part lies beside the scrolled parts, or above them, and never over another fixed part.
    const fixed = seen("header, .showbar, nav");
    for (const [index, one] of fixed.entries()) {
      const box = one.getBoundingClientRect();
      if (box.top < -1 || box.bottom > innerHeight + 1) faults.add(`${place}: ${name(one)} is out of reach`);
      for (const other of fixed.slice(index + 1)) {
        if (meet(box, other.getBoundingClientRect())) faults.add(`${place}: ${name(one)} meets ${name(other)}`);
      }
    }
    for (const node of seen("svg .node")) {
      const names = [...node.querySelectorAll(".name")].map((one) => one.getBoundingClientRect());
      if (names.some((one, at) => names.some((other, i) => i > at && meet(one, other)))) faults.add(`${place}: names in ${name(node)} meet`);
    }
    const meters = seen(".meter");
    const boxes = meters.map((meter) => meter.getBoundingClientRect());
    for (const [index, meter] of meters.entries()) {
      const room = meter.closest("section").getBoundingClientRect();
      if (boxes[index].left < room.left || boxes[index].right > room.right) faults.add(`${place}: ${name(meter)} leaves its part`);
      if (boxes.some((other, at) => at > index && meet(boxes[index], other))) faults.add(`${place}: ${name(meter)} meets another`);
      const [scale, figure] = [meter.querySelector(".scale"), meter.querySelector(".figure")].map((one) => one.getBoundingClientRect());
      if (scale.height < 80 || scale.width < 20) faults.add(`${place}: ${name(meter)} is ${scale.width} by ${scale.height}`);
      if (figure.width > boxes[index].width + 1 || figure.height < 8) faults.add(`${place}: the figure of ${name(meter)} has no room`);
      const text = meter.querySelector(".name");
      if (text.scrollWidth > text.clientWidth + 1 || text.clientHeight < 8) faults.add(`${place}: the name of ${name(meter)} has no room`);
    }
  };

  const controls = "button, input, select, summary, a[href], [role=button]";
  const lookAtControls = (place) => {
    for (const one of seen(controls)) {
      one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const box = one.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(one.contains(hit) || hit.closest("label")?.control === one)) faults.add(`${place}: a click on ${name(one)} hits ${hit ? name(hit) : "nothing"}`);
      if (box.width < 20 || box.height < 20) faults.add(`${place}: ${name(one)} is ${Math.round(box.width)} by ${Math.round(box.height)}`);
    }
    document.querySelector("main").scrollTop = 0;
    scrollTo(0, 0);
  };

  const look = async (place) => {
    await drawn();
    await drawn();
    lookAtBoxes(place);
    lookAtControls(place);
  };
  const tabs = seen("nav button");
  for (const tab of tabs) {
    tab.click();
    await look(tab.id);
  }
  if (tabs.length === 0) return [await look("page"), ...faults].slice(1).join("\n");
  document.querySelector("#nodes button").click();
  await look("a node");
  document.getElementById("more").click();
  await drawn();
  for (const one of seen(".tools button, .tools a")) {
    const { left, top, width, height } = one.getBoundingClientRect();
    if (!one.contains(document.elementFromPoint(left + width / 2, top + height / 2))) faults.add(`more: ${name(one)} is not hit`);
  }
  document.getElementById("more").click();
  return [...faults].join("\n");
};
