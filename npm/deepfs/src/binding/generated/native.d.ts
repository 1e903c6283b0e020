// Written by the build from crates/node. Do not edit: change the Rust and run `npm run setup`.

/** A handle that JS holds. */
export declare class Cancel {
  /** Makes the handle. */
  constructor()
}

/** A handle that JS holds. */
export declare class Disk {
  /** Makes the handle. */
  constructor()
}

/** A handle that JS holds. */
export declare class Memory {
  /** Makes the handle. */
  constructor()
}

/** A handle that JS holds. */
export declare class Shell {
  /** Makes the handle. */
  constructor()
}

/** The version of the core that this addon was built with. */
export declare function version(): string;
