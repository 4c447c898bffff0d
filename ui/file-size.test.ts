import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [1_499, '1 kB'],
  [310_200, '310 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [2_440_000, '2.4 MB'],
  [25 * 1024 * 1024, '26.2 MB'],
  [1_234_567_890, '1,234.6 MB'],
])('%i bytes are %s', (bytes, text) => expect(fileSize(bytes)).toBe(text));
