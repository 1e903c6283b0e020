/* tslint:disable */
/* eslint-disable */

/**
 * A handle that JS holds.
 */
export class Memory {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Makes the handle.
     */
    constructor();
}

/**
 * The version of the core that this module was built with.
 */
export function version(): string;
