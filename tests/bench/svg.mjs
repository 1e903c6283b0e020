// Pictures for the README and the docs, as plain SVG.

const FONT = `font-family="ui-sans-serif, system-ui, sans-serif"`;
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * One bar for each row: how many times less processor time than the peer, on a logarithmic scale; the mark is the target.
 *
 * @param {{ title: string, ratio: number, must: number }[]} bars
 */
export function ratioPicture(bars, heading) {
  const [left, right, rowHeight, top] = [330, 90, 22, 58];
  const width = 900;
  const height = top + bars.length * rowHeight + 40;
  const largest = Math.max(10, ...bars.map(({ ratio }) => ratio));
  const decades = Math.ceil(Math.log10(largest) * 2) / 2;
  const x = (ratio) => left + (Math.log10(Math.max(ratio, 1)) / decades) * (width - left - right);
  // Where a decade is narrow, its steps would be written over each other.
  const steps = (width - left - right) / decades < 180 ? [1] : [1, 2, 5];
  const grid = [1, 10, 100, 1000, 10_000]
    .flatMap((decade) => steps.map((step) => decade * step))
    .filter((tick) => Math.log10(tick) <= decades);
  const parts = grid.map(
    (tick) =>
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="${top - 8}" y2="${height - 34}" stroke="#8884" /><text x="${x(tick)}" y="${height - 18}" text-anchor="middle" font-size="11" fill="#888">${tick}×</text>`,
  );
  bars.forEach(({ title, ratio, must }, at) => {
    const y = top + at * rowHeight;
    parts.push(
      `<text x="${left - 10}" y="${y + 13}" text-anchor="end" font-size="12" fill="#777">${escape(title)}</text>`,
      `<rect x="${left}" y="${y + 2}" width="${Math.max(1, x(ratio) - left)}" height="${rowHeight - 8}" rx="2" fill="${ratio >= must ? "#2f81f7" : "#d1242f"}" />`,
      `<line x1="${x(must)}" x2="${x(must)}" y1="${y}" y2="${y + rowHeight - 4}" stroke="#f0883e" stroke-width="2" />`,
      `<text x="${x(ratio) + 6}" y="${y + 13}" font-size="12" fill="#777">${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}×</text>`,
    );
  });
  return page(
    width,
    height,
    heading,
    "times less processor time than deepagents, the same answers; the orange mark is the target",
    parts,
  );
}

const COLOURS = [
  "#2f81f7",
  "#f0883e",
  "#3fb950",
  "#d1242f",
  "#a371f7",
  "#e3b341",
  "#39c5cf",
  "#db61a2",
  "#6e7781",
  "#8b5e3c",
  "#1b7c83",
];

/**
 * How the cost of one call grows with its input, both on logarithmic scales: a straight line under the dashed one.
 *
 * @param {{ title: string, points: [factor: number, costMs: number][] }[]} curves
 */
export function growthPicture(curves, heading) {
  const [left, right, top, bottom] = [70, 260, 58, 50];
  const [width, height] = [900, 460];
  const costs = curves.flatMap(({ points }) => points.map(([, cost]) => cost / points[0][1]));
  const highest = Math.max(100, ...costs);
  const x = (factor) => left + (Math.log10(factor) / 2) * (width - left - right);
  const y = (cost) =>
    height - bottom - (Math.log10(Math.max(cost, 0.5) / 0.5) / Math.log10(highest / 0.5)) * (height - top - bottom);
  const parts = [1, 10, 100].flatMap((tick) => [
    `<line x1="${x(tick)}" x2="${x(tick)}" y1="${top}" y2="${height - bottom}" stroke="#8884" /><text x="${x(tick)}" y="${height - bottom + 18}" text-anchor="middle" font-size="11" fill="#888">${tick}× input</text>`,
    `<line x1="${left}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#8884" /><text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end" font-size="11" fill="#888">${tick}× cost</text>`,
  ]);
  parts.push(`<line x1="${x(1)}" y1="${y(1)}" x2="${x(100)}" y2="${y(100)}" stroke="#888" stroke-dasharray="5 4" />`);
  curves.forEach(({ title, points }, at) => {
    const colour = COLOURS[at % COLOURS.length];
    const line = points
      .map(([factor, cost]) => `${x(factor).toFixed(1)},${y(cost / points[0][1]).toFixed(1)}`)
      .join(" ");
    parts.push(
      `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2" />`,
      `<rect x="${width - right + 20}" y="${top + at * 20}" width="12" height="12" fill="${colour}" /><text x="${width - right + 38}" y="${top + 10 + at * 20}" font-size="12" fill="#777">${escape(title)}</text>`,
    );
  });
  return page(
    width,
    height,
    heading,
    "processor time of one call against the size of its input; below the dashed line it grows slower than the input",
    parts,
  );
}

function page(width, height, heading, note, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${FONT} role="img" aria-label="${escape(heading)}">
<text x="20" y="26" font-size="16" font-weight="600" fill="#777">${escape(heading)}</text>
<text x="20" y="44" font-size="12" fill="#888">${escape(note)}</text>
${parts.join("\n")}
</svg>
`;
}
