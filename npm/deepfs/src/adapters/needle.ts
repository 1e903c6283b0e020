/**
 * A quick "does this text hold that one". The engine looks for the first character of a pattern at the speed of memory,
 * and slows down wherever that character is common. So this looks from the pattern's rarest character on, and checks
 * what comes before it only where the rest was found.
 */

/** Characters of source text and prose, from the most common on. What is not listed is rarer than all of these. */
const COMMON = " etaoinsrlcdupmhgfbyv.,_-()\"'=;:/w{}kx0j1zqETSAIORNC[]<>L\t2*PDMF3U#BHG4`8$5W6V9&|!K+@7\\YXJQZ%?^~";

/**
 * A test for texts that hold `pattern`.
 *
 * @param sample - Some of the text that will be looked at, if there is any: it tells which characters are rare in it.
 */
export function needle(pattern: string, sample = ""): (text: string) => boolean {
  const start = rarest(pattern, sample);
  if (start === 0) {
    return (text) => text.includes(pattern);
  }
  const rest = pattern.slice(start);
  return (text) => {
    for (let at = text.indexOf(rest, start); at >= 0; at = text.indexOf(rest, at + 1)) {
      if (text.startsWith(pattern, at - start)) {
        return true;
      }
    }
    return false;
  };
}

/** Characters of a pattern that are weighed; a longer one has a rare character among these as well. */
const WEIGHED = 64;

function rarest(pattern: string, sample: string): number {
  let best = 0;
  let bestCount = Number.POSITIVE_INFINITY;
  for (let index = 0; index < Math.min(pattern.length, WEIGHED); index += 1) {
    const character = pattern.charAt(index);
    // What the sample does not tell apart, experience does.
    const place = COMMON.indexOf(character);
    const count = countOf(character, sample) - (place < 0 ? 1 : place / COMMON.length);
    if (count < bestCount) {
      best = index;
      bestCount = count;
    }
  }
  return best;
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
}
