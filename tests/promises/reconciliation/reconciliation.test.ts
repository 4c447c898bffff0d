import { describe, expect, it } from 'vitest';
import { checkCleanDays, checkSeededBreaks } from './check-days.ts';

// R7: reconciliation finds every break and invents none. The full size is `npm run soak -- reconciliation`.

describe('reconciliation over generated days', () => {
  it('finds nothing on clean days, and matches the volume within a day', () => {
    const { findings, volume } = checkCleanDays({ size: 10_000, seed: 1 });
    expect(findings).toEqual([]);
    expect(volume.prompt / volume.all).toBeGreaterThan(0.9999);
  });

  it('finds every seeded break once, with its kind and amounts', () => {
    expect(checkSeededBreaks({ size: 500, seed: 2 }).findings).toEqual([]);
  });
});
