/** Something the person at the keyboard can mend: printed as one sentence, without a stack. */
export class Problem extends Error {
  constructor(sentence, output = "") {
    super(sentence);
    this.output = output;
  }
}

/** Runs a script's main function; a {@link Problem} ends the process with its sentence. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.output) console.error(error.output);
    console.error(`\n✖ ${error.message}`);
    process.exitCode = 1;
  }
}
