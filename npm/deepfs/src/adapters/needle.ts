/**
 * A quick "does this text hold that one". The engine looks for the first character of a pattern at the speed of memory,
 * and slows down wherever that character is common. So this looks from the pattern's rarest character on, and checks
 * what comes before it only where the rest was found.
 */

/** Characters of source text and prose, from the most common on. What is not listed is rarer than all of these. */
const COMMON = " etaoinsrlcdupmhgfbyv.,_-()\"'=;:/w{}kx0j1zqETSAIORNC[]<>L\t2*PDMF3U#BHG4`8$5W6V9&|!K+@7\\YXJQZ%?^~";

/** A test for texts that hold `pattern`. */
export function needle(pattern: string): (text: string) => boolean {
  const start = rarest(pattern);
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

function rarest(pattern: string): number {
  let best = 0;
  let bestRank = -1;
  for (let index = 0; index < pattern.length; index += 1) {
    const place = COMMON.indexOf(pattern.charAt(index));
    const rank = place < 0 ? COMMON.length : place;
    if (rank > bestRank) {
      best = index;
      bestRank = rank;
    }
  }
  return best;
}
