/** Everything that deepfs exports; the same in every build. */

export { coreBuild } from "./binding/build.js";
