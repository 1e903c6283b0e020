/* tslint:disable */
/* eslint-disable */

/**
 * See `MemoryHandle` in the contract. Every method takes `&self`: were one to trap, the object stays usable.
 */
export class Memory {
    free(): void;
    [Symbol.dispose](): void;
    delete(path: string): any;
    download(paths: Array<any>): Array<any>;
    edit(path: string, old_string: string, new_string: string, replace_all: boolean, now: string): any;
    glob(pattern: string, path: string): any;
    grep(pattern: string, path: string, glob?: string | null, max_count?: number | null): any;
    ls(path: string): any;
    constructor(options: any);
    readRaw(path: string): any;
    read(path: string, offset: number, limit: number): any;
    restore(records: Array<any>): any;
    snapshot(): Array<any>;
    upload(paths: Array<any>, contents: Array<any>, now: string): Array<any>;
    write(path: string, content: any, now: string): any;
}

/**
 * `RecordRules.editBytes`
 */
export function editBytes(path: string, content: Uint8Array | number[], old_string: string, new_string: string, replace_all: boolean): any;

/**
 * `RecordRules.editText`
 */
export function editText(path: string, content: string, old_string: string, new_string: string, replace_all: boolean): any;

/**
 * `RecordRules.failure`
 */
export function failure(method: string, code: string, path: string, detail: string): any;

/**
 * `RecordRules.filterKeys`
 */
export function filterKeys(keys: string, base: string, glob?: string | null): any;

/**
 * `RecordRules.globKeys`
 */
export function globKeys(keys: string, pattern: string, base: string, bare_recursive: boolean): any;

/**
 * `RecordRules.globOrder`
 */
export function globOrder(modified: string, dialect: string): Uint32Array;

/**
 * `RecordRules.grepTexts`
 */
export function grepTexts(paths: Array<any>, contents: Array<any>, pattern: string, max_count?: number | null, line_chars?: number | null): any;

/**
 * `RecordRules.listKeys`
 */
export function listKeys(keys: string, dir: string): any;

/**
 * `RecordRules.mimeOf`
 */
export function mimeOf(path: string): any;

/**
 * `RecordRules.parsePath`
 */
export function parsePath(method: string, path: string): any;

/**
 * `RecordRules.readBytes`
 */
export function readBytes(path: string, content: Uint8Array | number[], offset: number, limit: number, dialect: string): any;

/**
 * `RecordRules.readText`
 */
export function readText(path: string, content: string, offset: number, limit: number, dialect: string): any;

/**
 * `RecordRules.storeContent`
 */
export function storeContent(path: string, content: any): any;

/**
 * `RecordRules.storeUpload`
 */
export function storeUpload(path: string, content: Uint8Array | number[]): any;

/**
 * `RecordRules.transferCode`
 */
export function transferCode(code: string): string;

/**
 * The version of the core that this module was built with.
 */
export function version(): string;
