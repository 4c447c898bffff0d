import { describe, expect, it } from 'vitest';
import type { Thread, ThreadMessage } from '../model.ts';
import { withNewest, withOlder, withSent } from './thread-pages.ts';

const message = (n: number, facts: Partial<ThreadMessage> = {}): ThreadMessage => ({
  id: `m${n}`,
  key: null,
  sender: 'buyer',
  mine: true,
  text: String(n),
  at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  seen: false,
  links: false,
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
  it('join: older ones stay, new ones come once, and the way back stays where it was', () => {
    const shown = withOlder(page(11, 20, 'c11'), page(1, 10, null));
    const joined = withNewest(shown, page(13, 22, 'c13'));
    expect(texts(joined)).toEqual(Array.from({ length: 22 }, (_, at) => at + 1));
    expect(joined.before).toBeNull();
    expect(withNewest(page(11, 20, 'c11'), page(12, 21, 'c12')).before).toBe('c11');
  });
  it('start anew when something lies between them', () => {
    const far = withNewest(page(1, 10, null), page(40, 49, 'c40'));
    expect([texts(far)[0], far.before]).toEqual([40, 'c40']);
  });
  it('keep what came after an answer that was long on its way', () => {
    const shown = withSent(page(1, 5, null), message(6));
    expect(texts(withNewest(shown, page(1, 5, null)))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(withSent(shown, message(6))).toBe(shown);
  });
  it('say that older messages of one’s own were seen when a newer one was', () => {
    const newest = { ...page(4, 6, 'c4'), messages: [4, 5, 6].map((n) => message(n, { seen: n < 6 })) };
    const seen = withNewest(page(1, 5, null), newest).messages.map((one) => one.seen);
    expect(seen).toEqual([true, true, true, true, true, false]);
  });
});
