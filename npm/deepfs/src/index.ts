/** Everything that deepfs exports; the same in every build. */

export { getBinding } from "./binding/current.js";
