import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Refusal } from '#features/listing-import/model.ts';
import { refusalLine, refusedCsvHeader, refusedCsvLine } from '#features/listing-import/report.ts';

const MAX_SHOWN = 20;

/** Collects the first refused rows of an import for the screen, and writes all of them as CSV beside the file. */
export class RefusalLines {
  readonly first: string[] = [];
  /** the file with all refusals, once there is one */
  path: string | null = null;
  readonly #source: { path: string; format: 'csv' | 'json' };
  readonly #fallback: string;
  #file: number | null = null;
  #waiting = '';

  /** @param fallback folder for the list where the file's own folder may not be written; created when needed */
  constructor(source: { path: string; format: 'csv' | 'json' }, fallback: string) {
    this.#source = source;
    this.#fallback = fallback;
  }

  add(line: number, refusal: Refusal): void {
    if (this.first.length < MAX_SHOWN) this.first.push(refusalLine(line, refusal, this.#source.format));
    this.#waiting += refusedCsvLine(line, refusal);
    if (this.#waiting.length > 64 * 1024) this.#write();
  }

  close(): void {
    if (this.#waiting !== '') this.#write();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #write(): void {
    this.#file ??= this.#begin();
    writeSync(this.#file, this.#waiting);
    this.#waiting = '';
  }

  #begin(): number {
    const beside = `${this.#source.path}.refused.csv`;
    const file = openOrNull(beside) ?? this.#beginInFallback();
    this.path ??= beside;
    writeSync(file, `\ufeff${refusedCsvHeader()}`);
    return file;
  }

  #beginInFallback(): number {
    mkdirSync(this.#fallback, { recursive: true });
    this.path = join(this.#fallback, `${basename(this.#source.path)}.refused.csv`);
    return openSync(this.path, 'w');
  }
}

/** Opens a file for writing; null in a folder that may not be written. */
function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'w');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return null;
    throw error;
  }
}
