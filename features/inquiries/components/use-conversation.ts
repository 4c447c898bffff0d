import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { toast } from '#ui/toast.ts';
import { SEND_FAILED, type Thread } from '../model.ts';
import { askThread, sendReply } from './ask-thread.ts';
import { withNewest, withOlder, withSent } from './thread-pages.ts';
import { addUnsent, dropUnsent, readUnsent, type Unsent } from './thread-store.ts';

/** A message that is on its way, or that did not get there. */
export interface Pending extends Unsent {
  /** when it was written; ISO, UTC */
  at: string;
  /** why it did not arrive; null while it is on its way */
  problem: string | null;
}

interface State {
  thread: Thread;
  pending: readonly Pending[];
}
type Change =
  | { type: 'newest' | 'older'; thread: Thread }
  | { type: 'sending'; one: Pending }
  | { type: 'failed'; key: string; problem: string }
  | { type: 'arrived'; key: string; id: string; at: string }
  | { type: 'withdrawn'; key: string };

function reduce({ thread, pending }: State, change: Change): State {
  const without = (key: string) => pending.filter((one) => one.key !== key);
  switch (change.type) {
    case 'newest':
      return settled({ thread: withNewest(thread, change.thread), pending });
    case 'older':
      return settled({ thread: withOlder(thread, change.thread), pending });
    case 'sending':
      return settled({ thread, pending: [...without(change.one.key), change.one] });
    case 'failed':
      return {
        thread,
        pending: pending.map((one) => (one.key === change.key ? { ...one, problem: change.problem } : one)),
      };
    case 'withdrawn':
      return { thread, pending: without(change.key) };
    case 'arrived': {
      const sent = pending.find(({ key }) => key === change.key);
      if (!sent) return { thread, pending };
      const { id, at } = change;
      const mine = { mine: true, seen: false, links: false, sender: thread.side };
      return {
        thread: withSent(thread, { ...mine, id, at, key: sent.key, text: sent.text }),
        pending: without(change.key),
      };
    }
  }
}

/** What has arrived is no longer on its way. */
function settled({ thread, pending }: State): State {
  const arrived = new Set(thread.messages.map(({ key }) => key));
  return { thread, pending: pending.filter(({ key }) => !arrived.has(key)) };
}

/**
 * An open conversation in the browser: what the server sent, older pages on demand, and one's own messages from the
 * moment they are sent. A message keeps its key until it has arrived, so that it arrives once however often it is tried.
 */
export function useConversation(loaded: Thread) {
  const { id } = loaded;
  const [{ thread, pending }, change] = useReducer(reduce, { thread: loaded, pending: [] });
  const [olderState, setOlderState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const line = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => change({ type: 'newest', thread: loaded }), [loaded]);
  useEffect(() => {
    const arrived = new Set(thread.messages.map(({ key }) => key));
    dropUnsent(id, arrived);
  }, [id, thread]);
  useEffect(() => {
    // Of what was on its way when the page went, nobody knows whether it has arrived; trying again is safe.
    for (const one of readUnsent(id)) {
      const at = new Date().toISOString();
      change({ type: 'sending', one: { ...one, at, problem: SEND_FAILED } });
    }
  }, [id]);

  const refresh = useCallback(async () => {
    try {
      change({ type: 'newest', thread: await askThread(id) });
    } catch {
      // The next event or the next look at the page reads again.
    }
  }, [id]);

  const older = async () => {
    if (!thread.before || olderState === 'busy') return;
    setOlderState('busy');
    try {
      change({ type: 'older', thread: await askThread(id, thread.before) });
      setOlderState('idle');
    } catch {
      setOlderState('failed');
    }
  };

  /** One after the other, so that they arrive as they were written. */
  const deliver = (one: Unsent) => {
    const { key, text } = one;
    addUnsent(id, one);
    change({ type: 'sending', one: { ...one, at: new Date().toISOString(), problem: null } });
    line.current = line.current.then(async () => {
      const result = await sendReply(id, text, key);
      if (result.ok) change({ type: 'arrived', key, id: result.messageId, at: result.at });
      else {
        change({ type: 'failed', key, problem: result.text });
        toast({ title: 'Error', text: result.text, tone: 'bad' });
      }
    });
  };

  return {
    thread,
    pending,
    olderState,
    older,
    refresh,
    send: (text: string) => deliver({ key: newKey(), text }),
    retry: ({ key, text }: Unsent) => deliver({ key, text }),
    withdraw: ({ key }: Unsent) => {
      dropUnsent(id, new Set([key]));
      change({ type: 'withdrawn', key });
    },
  };
}

export type Conversation = ReturnType<typeof useConversation>;

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
