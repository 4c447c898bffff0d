import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { artefactFile, compileContract } from './compile-contract.ts';

it('makes the artefact that is kept, byte for byte', () => {
  expect(readFileSync(artefactFile, 'utf8')).toBe(compileContract());
});
