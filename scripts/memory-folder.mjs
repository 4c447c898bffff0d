import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const GIGABYTE = 2 ** 30;

/**
 * The folder for the databases of tests: in memory where Linux offers enough of it, because creating and removing their
 * thousands of files costs most of the time elsewhere; else the system's temporary folder.
 */
export function memoryFolder() {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem()) >= 3 * GIGABYTE ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
}
