import { expect, it } from 'vitest';
import { replayHook } from '#tests/support/react/replay-hook.ts';
import { useShownOnce } from './use-shown-once.ts';

type Step = [latest: string | undefined, viewerId: string | undefined];
const shown = (steps: readonly Step[]) =>
  replayHook(steps, ([latest, viewerId]) => useShownOnce(latest, viewerId));

it('keeps what an answer brought until the next one', () => {
  expect(
    shown([
      [undefined, 'ann'],
      ['secret', 'ann'],
      [undefined, 'ann'],
      ['another', 'ann'],
      [undefined, 'ann'],
    ]),
  ).toEqual([undefined, 'secret', 'secret', 'another', 'another']);
});

it('shows it to nobody else who signs in meanwhile, nor again to whoever comes back', () => {
  expect(
    shown([
      ['secret', 'ann'],
      [undefined, 'ben'],
      [undefined, 'ben'],
      [undefined, 'ann'],
    ]),
  ).toEqual(['secret', undefined, undefined, undefined]);
  expect(
    shown([
      ['secret', 'ann'],
      [undefined, undefined],
      [undefined, 'ann'],
    ]),
  ).toEqual(['secret', undefined, undefined]);
});

it('shows what the next viewer is answered', () => {
  expect(
    shown([
      ['secret', 'ann'],
      [undefined, 'ben'],
      ['another', 'ben'],
      [undefined, 'ben'],
    ]),
  ).toEqual(['secret', undefined, 'another', 'another']);
});
