// In place of Node's own modules in the page's bundle: the peer's glob library asks for the path separator, and nothing else
// of them is used there.

export const sep = "/";
export const basename = (path) => path.slice(path.lastIndexOf("/") + 1);
export const inspect = String;
export default { sep, basename, inspect };
