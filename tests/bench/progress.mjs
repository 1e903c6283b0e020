// One line that tells how far a run is: redrawn on a terminal, a new line for each row elsewhere.

const WIDTH = 30;

export class Progress {
  constructor(rows) {
    this.rows = rows;
    this.done = 0;
    this.steps = 0;
    this.started = performance.now();
    this.isTerminal = process.stderr.isTTY === true;
  }

  begin(id) {
    this.id = id;
    this.steps = 0;
    if (this.isTerminal) this.draw();
    else process.stderr.write(`[${this.done + 1}/${this.rows}] ${id} …\n`);
  }

  say(text) {
    if (this.isTerminal) process.stderr.write("\r\u001b[K");
    process.stderr.write(`    ${text}\n`);
  }

  tick = () => {
    this.steps += 1;
    if (this.isTerminal) this.draw();
  };

  end() {
    this.done += 1;
    if (this.isTerminal && this.done === this.rows) process.stderr.write("\r\u001b[K");
  }

  draw() {
    // The steps of a row are not known beforehand; they bring the bar nearer to the next mark, never past it.
    const within = 1 - 1 / (1 + this.steps / 10);
    const filled = Math.round((WIDTH * (this.done + within)) / this.rows);
    const seconds = Math.round((performance.now() - this.started) / 1000);
    const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
    process.stderr.write(`\r\u001b[K${bar} ${this.done}/${this.rows}  ${seconds} s  ${this.id}`);
  }
}
