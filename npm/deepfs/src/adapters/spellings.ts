/** Names that read the same but are made of other characters: `é` is one character, or an `e` and an accent. */

const NOT_ASCII = /[^\p{ASCII}]/u;

/**
 * The one of `paths` that is spelt in other characters but reads the same as `path`; `path` itself when there is none, or
 * more than one.
 */
export function otherSpelling(paths: readonly string[], path: string): string {
  return spelledIn(composedPaths(paths), path);
}

/** The same for several paths at once. */
export function otherSpellings(paths: Iterable<string>, asked: readonly string[]): string[] {
  if (!asked.some(hasSpellings)) return [...asked];
  const composed = composedPaths([...paths]);
  return asked.map((path) => spelledIn(composed, path));
}

/** A path with its longest known beginning as that is spelt, as long as only one spelling of it is known. */
export function spelledIn(composed: ReadonlyMap<string, string | null>, path: string): string {
  const form = path.normalize("NFC");
  for (let end = form.length, own = path.length; end > 0;) {
    const known = composed.get(form.slice(0, end));
    if (known !== undefined) {
      return known === null ? path : known + path.slice(own);
    }
    // No character composes with a slash: both texts have the same ones.
    end = form.lastIndexOf("/", end - 1);
    own = path.lastIndexOf("/", own - 1);
  }
  return path;
}

/** Whether a path can have another spelling. */
export function hasSpellings(path: string): boolean {
  return NOT_ASCII.test(path);
}

export function composedPaths(paths: readonly string[]): Map<string, string | null> {
  const composed = new Map<string, string | null>();
  for (const path of paths) {
    let known: string | null | undefined;
    for (let end = path.length; end > 0 && known === undefined; end = path.lastIndexOf("/", end - 1)) {
      const start = path.slice(0, end);
      if (!NOT_ASCII.test(start)) {
        break;
      }
      const form = start.normalize("NFC");
      const spelling = composed.get(form);
      composed.set(form, spelling === undefined || spelling === start ? start : null);
      // The folders of a folder that was met before have been met as well.
      known = spelling === start ? start : undefined;
    }
  }
  return composed;
}
