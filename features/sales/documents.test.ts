import { expect, it } from 'vitest';
import { DAY, HOUR } from '#platform/durations.ts';
import {
  blockedSince,
  documentsOverdue,
  nextDocumentsCheck,
  postponedDueAt,
  reminderDue,
} from './documents.ts';

const now = new Date('2026-11-20T12:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const facts = { documentsDelivered: false, documentsDueAt: now, blockedSince: null, now };

it('are overdue from the moment they are due, unless delivered or never due', () => {
  expect(documentsOverdue(facts)).toBe(true);
  expect(documentsOverdue({ ...facts, documentsDueAt: at(1) })).toBe(false);
  expect(documentsOverdue({ ...facts, documentsDueAt: null })).toBe(false);
  expect(documentsOverdue({ ...facts, documentsDelivered: true })).toBe(false);
});

it('do not become overdue while the seller is blocked, and stay so when that comes later', () => {
  expect(documentsOverdue({ ...facts, blockedSince: at(-1) })).toBe(false);
  expect(documentsOverdue({ ...facts, blockedSince: now })).toBe(true);
});

it('blocked is who cannot deliver because of others, from the first obstacle on', () => {
  const none = { frozenAt: null, problem: null, cancellationAsked: null };
  expect(blockedSince(none)).toBeNull();
  expect(blockedSince({ ...none, problem: { openedBy: 'seller', at: now } })).toBeNull();
  expect(blockedSince({ ...none, cancellationAsked: { by: 'seller', at: now } })).toBeNull();
  for (const by of ['buyer', 'admin'] as const)
    expect(blockedSince({ ...none, cancellationAsked: { by, at: now } })).toEqual(now);
  expect(
    blockedSince({
      frozenAt: at(-1),
      problem: { openedBy: 'buyer', at: at(-3) },
      cancellationAsked: { by: 'buyer', at: at(-2) },
    }),
  ).toEqual(at(-3));
  expect(blockedSince({ ...none, frozenAt: now, problem: { openedBy: 'seller', at: at(-1) } })).toEqual(now);
});

it('are postponed to 72 hours after an obstacle that began before they were due', () => {
  const blocked = { ...facts, blockedSince: at(-DAY) };
  expect(postponedDueAt(blocked)).toEqual(at(72 * HOUR));
  expect(postponedDueAt({ ...blocked, documentsDueAt: at(71 * HOUR) })).toEqual(at(72 * HOUR));
  expect(postponedDueAt({ ...blocked, documentsDueAt: at(72 * HOUR) })).toBeNull();
  expect(postponedDueAt({ ...blocked, documentsDueAt: at(-DAY) })).toBeNull();
  expect(postponedDueAt({ ...blocked, documentsDelivered: true })).toBeNull();
  expect(postponedDueAt({ ...blocked, documentsDueAt: null })).toBeNull();
  expect(postponedDueAt(facts)).toBeNull();
});

it.each([
  [3 * DAY + 1, null, 3 * DAY],
  [3 * DAY, 'soon', DAY],
  [DAY + 1, 'soon', DAY],
  [DAY, 'last_day', 0],
  [1, 'last_day', 0],
  [0, null, 0],
  [-DAY, null, 0],
] as const)(
  '%i ms before they are due: reminder %s, looked at again %i ms before',
  (left, reminder, next) => {
    const dueAt = at(left);
    expect(reminderDue(dueAt, now)).toBe(reminder);
    expect(nextDocumentsCheck(dueAt, now)).toEqual(new Date(dueAt.getTime() - next));
  },
);
