import { beforeEach, expect, it } from 'vitest';
import { SECOND } from '../durations.ts';
import { ReplicaMonitor, type ReplicaState } from './replica-monitor.ts';

let now: number;
let written: bigint | null;
let replica: { inRecovery: boolean; replayed: bigint } | null;
let changes: ReplicaState[];
let monitor: ReplicaMonitor;

beforeEach(() => {
  now = 0;
  written = 100n;
  replica = { inRecovery: true, replayed: 100n };
  changes = [];
  const away = () => Promise.reject(new Error('away'));
  monitor = new ReplicaMonitor({
    ask: () => (replica ? Promise.resolve(replica) : away()),
    primaryPosition: () => (written === null ? away() : Promise.resolve(written)),
    onChange: (state) => changes.push(state),
    now: () => now,
  });
});

/** Lets time pass and checks. */
async function after(seconds: number): Promise<ReplicaState> {
  now += seconds * SECOND;
  await monitor.check();
  return monitor.state;
}

it('is usable while it has replayed what the primary wrote, however long ago that was', async () => {
  expect(monitor.state.usable).toBe(false);
  expect(await after(0)).toEqual({ usable: true, lagMs: 0 });
  expect(await after(3_600)).toEqual({ usable: true, lagMs: 0 });
  expect(changes).toEqual([{ usable: true, lagMs: 0 }]);
});

it('is lagging once it lacks what the primary wrote more than ten seconds ago, and comes back', async () => {
  await after(0);
  written = 200n;
  expect(await after(1)).toEqual({ usable: true, lagMs: SECOND });
  expect(await after(9)).toEqual({ usable: true, lagMs: 10 * SECOND });
  expect(await after(1)).toEqual({ usable: false, reason: 'lagging' });
  replica = { inRecovery: true, replayed: 150n };
  expect(await after(1)).toEqual({ usable: false, reason: 'lagging' });
  replica = { inRecovery: true, replayed: 200n };
  expect(await after(1)).toEqual({ usable: true, lagMs: 0 });
  expect(changes.map(({ usable }) => usable)).toEqual([true, false, true]);
});

it('is judged by the age of what it has, while the primary goes on writing', async () => {
  await after(0);
  for (let second = 1; second <= 60; second += 1) {
    written = 100n + BigInt(second);
    replica = { inRecovery: true, replayed: 100n + BigInt(Math.max(0, second - 3)) };
    expect(await after(1)).toEqual({ usable: true, lagMs: Math.min(second, 3) * SECOND });
  }
});

it('is not used before it has what the primary had when it was first asked', async () => {
  replica = { inRecovery: true, replayed: 40n };
  for (const second of [0, 1, 5]) expect(await after(second)).toEqual({ usable: false, reason: 'lagging' });
  replica = { inRecovery: true, replayed: 100n };
  expect(await after(1)).toEqual({ usable: true, lagMs: 0 });
});

it('is not used when it does not answer, or has become a primary', async () => {
  await after(0);
  replica = null;
  expect(await after(1)).toEqual({ usable: false, reason: 'unreachable' });
  replica = { inRecovery: false, replayed: 0n };
  expect(await after(1)).toEqual({ usable: false, reason: 'not a replica' });
  replica = { inRecovery: true, replayed: 100n };
  expect(await after(1)).toMatchObject({ usable: true });
});

it('stays usable while the primary is away, since nothing new is written', async () => {
  await after(0);
  written = null;
  expect(await after(60)).toEqual({ usable: true, lagMs: 0 });
});

it('tells those who wait that it is lost, once', async () => {
  await after(0);
  let told = 0;
  void monitor.lost.then(() => (told += 1));
  monitor.suspect();
  monitor.suspect();
  await Promise.resolve();
  expect(told).toBe(1);
  expect(monitor.state.usable).toBe(false);
  await after(1);
  let again = false;
  void monitor.lost.then(() => (again = true));
  await Promise.resolve();
  expect(again).toBe(false);
});
