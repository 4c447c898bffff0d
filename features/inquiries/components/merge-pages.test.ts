import { describe, expect, it } from 'vitest';
import type { Thread, ThreadMessage } from '../model.ts';
import { appendSent, mergeNewest, prependOlder } from './merge-pages.ts';

const message = (n: number, facts: Partial<ThreadMessage> = {}): ThreadMessage => ({
  id: `m${n}`,
  key: null,
  sender: 'buyer',
  mine: true,
  text: String(n),
  at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  seen: false,
  links: false,
  file: null,
  ...facts,
});
const page = (from: number, to: number, before: string | null): Thread => ({
  id: 'i',
  side: 'buyer',
  property: null,
  other: { name: 'Maren' },
  label: 'pending',
  reply: { allowed: true },
  blockedByMe: false,
  reported: false,
  messages: Array.from({ length: to - from + 1 }, (_, at) => message(from + at)),
  before,
});
const texts = ({ messages }: Thread) => messages.map(({ text }) => Number(text));

describe('pages of a conversation', () => {
  it('merge: older messages stay, new ones appear once, and the cursor for older ones is kept', () => {
    const shown = prependOlder(page(11, 20, 'c11'), page(1, 10, null));
    const joined = mergeNewest(shown, page(13, 22, 'c13'));
    expect(texts(joined)).toEqual(Array.from({ length: 22 }, (_, at) => at + 1));
    expect(joined.before).toBeNull();
    expect(mergeNewest(page(11, 20, 'c11'), page(12, 21, 'c12')).before).toBe('c11');
  });
  it('start over when there is a gap between them', () => {
    const far = mergeNewest(page(1, 10, null), page(40, 49, 'c40'));
    expect([texts(far)[0], far.before]).toEqual([40, 'c40']);
  });
  it('keep messages that are newer than a late response', () => {
    const shown = appendSent(page(1, 5, null), message(6));
    expect(texts(mergeNewest(shown, page(1, 5, null)))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(appendSent(shown, message(6))).toBe(shown);
  });
  it('are answered once the seller wrote last, and not anymore once the buyer did', () => {
    const shown: Thread = { ...page(1, 5, null), side: 'seller' };
    expect(appendSent(shown, message(6)).label).toBe('resolved');
    expect(appendSent({ ...shown, side: 'buyer', label: 'resolved' }, message(6)).label).toBe('pending');
  });
  it('mark the viewer’s older messages as seen when a newer one was', () => {
    const newest = { ...page(4, 6, 'c4'), messages: [4, 5, 6].map((n) => message(n, { seen: n < 6 })) };
    const seen = mergeNewest(page(1, 5, null), newest).messages.map((one) => one.seen);
    expect(seen).toEqual([true, true, true, true, true, false]);
  });
});
