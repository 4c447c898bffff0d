import type { Thread, ThreadMessage } from '../model.ts';

/**
 * Merges the newest page of a conversation into the messages already loaded. Older messages that were loaded stay. A
 * page that does not overlap with them replaces them; loading older messages then fills the gap.
 */
export function mergeNewest(loaded: Thread, newest: Thread): Thread {
  const ids = new Set(newest.messages.map(({ id }) => id));
  const [first, last] = [newest.messages[0], newest.messages.at(-1)];
  if (!first || !last) return { ...loaded, ...newest, messages: loaded.messages, before: loaded.before };
  const overlaps = newest.before === null || loaded.messages.some(({ id }) => ids.has(id));
  if (!overlaps) return newest;
  const others = loaded.messages.filter(({ id }) => !ids.has(id));
  const older = others.filter(({ at }) => at <= first.at);
  // A late response may miss messages that were added in the meantime.
  const later = others.filter(({ at }) => at > last.at);
  const read = newest.messages.some(({ seen }) => seen);
  const seen = older.map((one) => (one.mine && read ? { ...one, seen: true } : one));
  return {
    ...newest,
    messages: [...seen, ...newest.messages, ...later],
    before: older.length > 0 ? loaded.before : newest.before,
  };
}

/** Prepends a page of older messages. */
export function prependOlder(loaded: Thread, older: Pick<Thread, 'messages' | 'before'>): Thread {
  const ids = new Set(loaded.messages.map(({ id }) => id));
  return {
    ...loaded,
    messages: [...older.messages.filter(({ id }) => !ids.has(id)), ...loaded.messages],
    before: older.before,
  };
}

/** Appends a message of the viewer's that was just delivered, unless it is already there. */
export function appendSent(loaded: Thread, sent: ThreadMessage): Thread {
  if (loaded.messages.some(({ id }) => id === sent.id)) return loaded;
  const label = loaded.side === 'seller' ? 'resolved' : 'pending';
  return { ...loaded, label, messages: [...loaded.messages, sent] };
}
