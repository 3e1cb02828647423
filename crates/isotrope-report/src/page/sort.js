// Headings sort the table; without this script it stays as it was written.
for (const table of document.querySelectorAll("table.data")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => {
        const cell = row.cells[column];
        const value = Number.parseFloat(cell.dataset.value);
        return { text: cell.textContent.trim(), value, known: !Number.isNaN(value) };
      };
      const compare = (a, b) =>
        a.known && b.known ? a.value - b.value : a.text.localeCompare(b.text, undefined, { numeric: true });
      const rows = [...body.rows].map((row) => ({ row, key: key(row) }));
      const empty = (entry) => entry.key.text === "" || entry.key.text === "–";
      // What says nothing stays below, whichever way.
      rows.sort((a, b) => empty(a) - empty(b) || b.key.known - a.key.known
        || (up ? 1 : -1) * compare(a.key, b.key));
      body.append(...rows.map((entry) => entry.row));
    });
  });
}
