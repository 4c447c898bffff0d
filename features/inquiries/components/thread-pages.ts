import type { Thread, ThreadMessage } from '../model.ts';

/**
 * The newest page of a conversation added to what the page shows already. Older messages that were asked for stay. A
 * page that does not reach back to what is known replaces it: what lies between is found by asking for older ones.
 */
export function withNewest(known: Thread, newest: Thread): Thread {
  const ids = new Set(newest.messages.map(({ id }) => id));
  const [first, last] = [newest.messages[0], newest.messages.at(-1)];
  if (!first || !last) return { ...known, ...newest, messages: known.messages, before: known.before };
  const meets = newest.before === null || known.messages.some(({ id }) => ids.has(id));
  if (!meets) return newest;
  const others = known.messages.filter(({ id }) => !ids.has(id));
  const older = others.filter(({ at }) => at <= first.at);
  // An answer that was on its way for longer knows less than what came after it.
  const later = others.filter(({ at }) => at > last.at);
  const read = newest.messages.some(({ seen }) => seen);
  const seen = older.map((one) => (one.mine && read ? { ...one, seen: true } : one));
  return {
    ...newest,
    messages: [...seen, ...newest.messages, ...later],
    before: older.length > 0 ? known.before : newest.before,
  };
}

/** A page of older messages put before what is shown. */
export function withOlder(known: Thread, older: Pick<Thread, 'messages' | 'before'>): Thread {
  const ids = new Set(known.messages.map(({ id }) => id));
  return {
    ...known,
    messages: [...older.messages.filter(({ id }) => !ids.has(id)), ...known.messages],
    before: older.before,
  };
}

/** A message that has just arrived; nothing when it is known. */
export function withSent(known: Thread, sent: ThreadMessage): Thread {
  if (known.messages.some(({ id }) => id === sent.id)) return known;
  return { ...known, messages: [...known.messages, sent] };
}
