import makeQrCode from 'qrcode-generator';
import { expect, it } from 'vitest';
import { qrCode } from './qr-code.ts';

it('draws exactly the dark modules of the code, within a margin of four', () => {
  const text = 'https://example.test/verify?q=ATP-000042';
  const code = makeQrCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const { size, path } = qrCode(text);
  expect(size).toBe(count + 8);
  const drawn = Array.from({ length: size }, () => Array<number>(size).fill(0));
  const rectangles = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)];
  expect(rectangles.map(([all]) => all).join('')).toBe(path);
  for (const [, x, y, width, back] of rectangles) {
    expect(back).toBe(width);
    for (let at = Number(x); at < Number(x) + Number(width); at++) {
      const row = drawn[Number(y)];
      if (row) row[at] = (row[at] ?? 0) + 1;
    }
  }
  const expected = drawn.map((row, y) =>
    row.map((_, x) => {
      const [line, column] = [y - 4, x - 4];
      const inside = line >= 0 && column >= 0 && line < count && column < count;
      return inside && code.isDark(line, column) ? 1 : 0;
    }),
  );
  expect(drawn).toEqual(expected);
  expect(qrCode(text).path).toBe(path);
});
