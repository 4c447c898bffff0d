import { expect, it } from 'vitest';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { seal, sealKeyId, unseal } from './seal.ts';

const sealed = seal(testConfig, 'a purpose', 'Ünsaid');

it('gives back what was sealed, in characters that stand in URLs and cookies', () => {
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(sealed).not.toBe(seal(testConfig, 'a purpose', 'Ünsaid'));
  expect(unseal(testConfig, 'a purpose', sealed)).toBe('Ünsaid');
});

it('opens nothing that was changed, made for something else, or sealed with another secret', () => {
  const changed = sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  for (const text of ['', 'x', changed, sealed.slice(0, 30), sealed.slice(2)])
    expect(unseal(testConfig, 'a purpose', text)).toBeNull();
  expect(unseal(testConfig, 'another purpose', sealed)).toBeNull();
  expect(unseal({ secret: 'another secret, long enough too' }, 'a purpose', sealed)).toBeNull();
});

it('names the secret that was sealed with, and tells nothing of it', () => {
  const other = { secret: 'another secret, long enough too' };
  expect(sealKeyId(testConfig)).toMatch(/^[0-9a-f]{12}$/);
  expect(sealKeyId(testConfig)).toBe(sealKeyId({ secret: testConfig.secret }));
  expect(sealKeyId(testConfig)).not.toBe(sealKeyId(other));
});
