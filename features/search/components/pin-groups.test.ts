import { describe, expect, it } from 'vitest';
import { groupPins, type PinGroup } from './pin-groups.ts';

const sizeOf = (members: readonly unknown[]) =>
  members.length === 1 ? { width: 90, height: 30 } : { width: 40, height: 36 };
const group = (points: readonly (readonly [number, number])[]) =>
  groupPins(
    points.map(([x, y]) => ({ x, y })),
    sizeOf,
  );
const covers = (a: PinGroup<unknown>, b: PinGroup<unknown>) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

describe('pins on the map', () => {
  it('stay single where there is room', () => {
    expect(
      group([
        [0, 0],
        [100, 0],
        [0, 40],
      ]).map(({ members }) => members.length),
    ).toEqual([1, 1, 1]);
  });

  it('that would cover each other become one, in their middle', () => {
    const [only, ...others] = group([
      [0, 0],
      [20, 10],
    ]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      x: 10,
      y: 5,
      width: 40,
      members: [
        { x: 0, y: 0 },
        { x: 20, y: 10 },
      ],
    });
  });

  it('at one point are one, however many', () => {
    expect(group(Array.from({ length: 27 }, () => [7, 7] as const))).toHaveLength(1);
  });

  it('never cover each other, and none is lost', () => {
    let state = 20_241;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (let trial = 0; trial < 10; trial += 1) {
      const points = Array.from({ length: 60 }, () => [random() * 600, random() * 600] as const);
      const groups = group(points);
      expect(groups.flatMap(({ members }) => members)).toHaveLength(60);
      for (const [at, one] of groups.entries())
        for (const other of groups.slice(at + 1)) expect(covers(one, other)).toBe(false);
    }
  });
});
