// Prints what deepfs exports.

import * as deepfs from "deepfs";

console.log(Object.keys(deepfs).sort().join("\n"));
