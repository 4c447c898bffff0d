import { expect, it } from 'vitest';
import { MINUTE } from './durations.ts';
import { RepeatedErrors } from './repeated-errors.ts';

it('admits one error a minute of an outage, and says how many were left out', () => {
  let now = 0;
  const errors = new RepeatedErrors(() => now);
  const refused = () =>
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  expect(errors.admit(refused())).toEqual({ leftOut: 0 });
  for (let count = 0; count < 154; count += 1) expect(errors.admit(refused())).toBeNull();
  // Of another kind, and wrapped.
  expect(
    errors.admit(new Error('query failed', { cause: new Error('Connection terminated unexpectedly') })),
  ).toEqual({
    leftOut: 0,
  });
  now += MINUTE;
  expect(errors.admit(refused())).toEqual({ leftOut: 154 });
  expect(errors.admit(refused())).toBeNull();
});

it('admits every other error', () => {
  const errors = new RepeatedErrors(() => 0);
  for (let count = 0; count < 3; count += 1) {
    expect(errors.admit(new Error('duplicate key'))).toEqual({ leftOut: 0 });
    expect(errors.admit(Object.assign(new Error('duplicate key'), { code: '23505' }))).toEqual({
      leftOut: 0,
    });
    expect(errors.admit('thrown text')).toEqual({ leftOut: 0 });
  }
});
