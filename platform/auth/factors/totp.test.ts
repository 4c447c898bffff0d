import { expect, it } from 'vitest';
import { authenticatorUri, codeAt, matchingStep, newSecret, stepAt } from './totp.ts';

// The secret of RFC 6238's test vectors, '12345678901234567890', in base32.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('makes the code of RFC 6238 at %i seconds', (seconds, code) => {
  expect(codeAt(SECRET, stepAt(new Date(seconds * 1_000)))).toBe(code);
});

it('accepts the present code, and those of the steps beside it, once', () => {
  const now = new Date('2026-11-23T12:00:10Z');
  const step = stepAt(now);
  const typed = (offset: number) => codeAt(SECRET, step + offset);
  expect(matchingStep(SECRET, typed(0), now, 0)).toBe(step);
  expect(matchingStep(SECRET, ` ${typed(0).slice(0, 3)} ${typed(0).slice(3)} `, now, 0)).toBe(step);
  expect(matchingStep(SECRET, typed(-1), now, 0)).toBe(step - 1);
  expect(matchingStep(SECRET, typed(1), now, 0)).toBe(step + 1);
  for (const wrong of [typed(-2), typed(2), '', '12345', 'abcdef', `${typed(0)}0`])
    expect(matchingStep(SECRET, wrong, now, 0)).toBeNull();
  expect(matchingStep(SECRET, typed(0), now, step)).toBeNull();
  expect(matchingStep(SECRET, typed(-1), now, step)).toBeNull();
  expect(matchingStep(SECRET, typed(1), now, step)).toBe(step + 1);
});

it('makes secrets of 160 bits, which an app reads from the address', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(secret);
  expect(authenticatorUri(secret, 'Acre Trading Post', 'ann@acre.test')).toBe(
    `otpauth://totp/Acre%20Trading%20Post:ann%40acre.test?issuer=Acre%20Trading%20Post&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});
