// Bodies and points as they were computed; without this script the pictures show their traces.
const animate = (data) => {
  const figure = document.getElementById("animation");
  const svg = figure.querySelector("svg");
  const [button, slider, choice] = ["button", "input", "select"].map((tag) => figure.querySelector(tag));
  const clock = figure.querySelector("output");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  // To the right, upwards, and towards the eye.
  const seen = ([x, y, z]) => {
    const along = 0.8660254 * x + 0.5 * y;
    return [0.8660254 * y - 0.5 * x, -(0.9396926 * z - 0.3420201 * along), 0.9396926 * along + 0.3420201 * z];
  };
  const faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
  const element = (parent, name, attributes) => {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return parent.appendChild(made);
  };
  const line = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("");
  const column = (m, j) => [m[j], m[3 + j], m[6 + j]];
  const turned = (m, v) => [0, 1, 2].map((i) => m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2]);
  const scenes = data.boxes.map((box, k) => {
    const middle = 2.6 * k;
    const group = element(svg, "g", { transform: `translate(${middle} 0)` });
    element(group, "circle", { r: 1, class: "globe" });
    return {
      box,
      trace: element(group, "path", { class: "trace" }),
      way: element(group, "path", { class: "way" }),
      back: [0, 1, 2].map((j) => element(group, "path", { class: `axis axis-${j + 1}` })),
      faces: faces.map((_, j) => element(group, "path", { class: `face face-${j >> 1}` })),
      front: [0, 1, 2].map((j) => element(group, "path", { class: `axis axis-${j + 1}` })),
    };
  });
  // Points and links have a panel of their own behind the bodies.
  const first = 12 * data.boxes.length + 1;
  const count = Math.floor((data.rows[0].frames[0].length - first) / 3);
  const stage = count && element(svg, "g", { transform: `translate(${2.6 * data.boxes.length} 0)` });
  const way = stage && element(stage, "path", { class: "way" });
  const rods = (stage ? data.links : []).map(() => element(stage, "path", { class: "rod" }));
  if (stage) element(stage, "circle", { r: 0.02, class: "origin" });
  const dots = [...Array(count).keys()].map(() => element(stage, "circle", { class: "dot" }));
  dots.forEach((dot, k) => dot.setAttribute("r", data.radii[k] || 0.045));
  const flat = ([x, y]) => [x, -y];
  const point = (numbers, k) => {
    const from = first + 3 * (k - 1);
    const place = k ? numbers.slice(from, from + 3) : [0, 0, 0];
    return place.includes(null) ? null : (data.planar ? flat : seen)(place);
  };
  const drawn = (points) => line(points.filter((place) => place));
  const drawPoints = () => {
    const now = row.frames[frame];
    dots.forEach((dot, k) => {
      const place = point(now, k + 1);
      dot.setAttribute("visibility", place ? "visible" : "hidden");
      if (place) dot.setAttribute("cx", place[0]);
      if (place) dot.setAttribute("cy", place[1]);
    });
    rods.forEach((rod, k) => {
      const ends = data.links[k].map((end) => point(now, end));
      rod.setAttribute("d", ends.includes(null) ? "" : line(ends));
    });
    const past = row.frames.slice(0, frame + 1);
    way.setAttribute("d", drawn(past.map((numbers) => point(numbers, count))));
  };
  let row = data.rows[0];
  let frame = 0;
  const draw = () => {
    scenes.forEach((scene, k) => {
      const at = (f) => row.frames[f].slice(12 * k + 1, 12 * k + 13);
      const now = at(frame);
      const [matrix, place] = [now.slice(0, 9), now.slice(9).map((x) => x * data.scale)];
      const size = data.scale ? 0.35 : 1;
      const shift = (v) => v.map((x, i) => size * x + place[i]);
      const corners = [...Array(8).keys()].map((c) =>
        [4, 2, 1].map((bit, i) => (c & bit ? 1 : -1) * scene.box[i]));
      const points = corners.map((c) => seen(shift(turned(matrix, c))));
      faces.forEach((face, j) => {
        const [a, b, c] = face.map((i) => points[i]);
        const faced = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0;
        scene.faces[j].setAttribute("d", faced ? `${line(face.map((i) => points[i]))}Z` : "");
      });
      [0, 1, 2].forEach((j) => {
        const axis = column(matrix, j);
        const begin = axis.map((x) => x * scene.box[j]);
        const towards = seen(axis)[2] >= 0;
        const drawn = line([seen(shift(begin)), seen(shift(axis))]);
        scene.front[j].setAttribute("d", towards ? drawn : "");
        scene.back[j].setAttribute("d", towards ? "" : drawn);
      });
      const past = [...Array(frame + 1).keys()];
      const middle = (f) => seen(at(f).slice(9).map((x) => x * data.scale));
      scene.way.setAttribute("d", data.scale ? line(past.map(middle)) : "");
      scene.trace.setAttribute("d", data.scale ? "" : line(past.map((f) => seen(column(at(f), 2)))));
    });
    if (stage) drawPoints();
    clock.textContent = `t = ${row.frames[frame][0]}`;
    slider.value = frame;
  };
  let last = 0;
  let running = false;
  const tick = (time) => {
    if (!running) return;
    const count = row.frames.length;
    if (time - last > 12000 / Math.max(count, 120)) {
      last = time;
      frame = (frame + 1) % count;
      draw();
    }
    requestAnimationFrame(tick);
  };
  const run = (on) => {
    running = on;
    button.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(tick);
  };
  data.rows.forEach((entry, k) => choice.add(new Option(entry.name, k)));
  const choose = () => {
    row = data.rows[choice.value || 0];
    slider.max = row.frames.length - 1;
    frame = Math.min(frame, row.frames.length - 1);
    draw();
  };
  choice.addEventListener("change", choose);
  slider.addEventListener("input", () => { run(false); frame = Number(slider.value); draw(); });
  button.addEventListener("click", () => run(!running));
  figure.hidden = false;
  choose();
  run(!still.matches);
};
