import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MAX_SHOWN = 20;

/** Collects the first refused rows of an import for the screen; if there are more, writes all of them to a file. */
export class RefusalLines {
  readonly first: string[] = [];
  /** the file with all refusals, if one was needed */
  path: string | null = null;
  #folder: string;
  #at: Date;
  #file: number | null = null;

  /** @param folder where the file is written; created when needed */
  constructor(folder: string, at: Date) {
    this.#folder = folder;
    this.#at = at;
  }

  add(line: string): void {
    if (this.first.length < MAX_SHOWN) {
      this.first.push(line);
      return;
    }
    this.#file ??= this.#begin();
    writeSync(this.#file, `${line}\n`);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #begin(): number {
    mkdirSync(this.#folder, { recursive: true });
    this.path = join(this.#folder, `refused-${this.#at.toISOString().replace(/[:.]/g, '-')}.txt`);
    const file = openSync(this.path, 'w');
    writeSync(file, this.first.map((line) => `${line}\n`).join(''));
    return file;
  }
}
