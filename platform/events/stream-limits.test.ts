import { expect, it } from 'vitest';
import { openFileLimit, StreamCounter, streamLimits } from './stream-limits.ts';

const limits = { user: 2, visitor: 1, address: 3, process: 5 };

it('refuses what is too much for a user, a visitor, an address or the process, until something ends', () => {
  const counter = new StreamCounter(limits);
  const enter = (userId: string | null, network: string) => counter.enter({ userId, network });
  const first = enter('ada', 'a');
  expect(enter('ada', 'b')).not.toBeNull();
  expect(enter('ada', 'c')).toBeNull();
  first?.();
  first?.();
  expect(enter('ada', 'c')).not.toBeNull();
  expect(enter('ada', 'c')).toBeNull();
  expect(enter(null, 'b')).not.toBeNull();
  expect(enter(null, 'b')).toBeNull();
  expect(enter('bo', 'b')).not.toBeNull();
  expect(enter('cy', 'b')).toBeNull();
  expect(enter('cy', 'd')).not.toBeNull();
  expect(enter('dee', 'e')).toBeNull();
});

it('leaves descriptors for everything else', () => {
  expect(streamLimits(1_024).process).toBe(624);
  expect(streamLimits(200).process).toBe(100);
  expect(streamLimits(1_000_000).process).toBe(10_000);
  expect(streamLimits(null).process).toBe(10_000);
  expect(streamLimits(1_024, { relaxed: true })).toEqual({
    user: 624,
    visitor: 624,
    address: 624,
    process: 624,
  });
  expect(openFileLimit() ?? 1).toBeGreaterThan(0);
});
