import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { toast } from '#ui/toast.ts';
import { SEND_FAILED, type Thread } from '../model.ts';
import { appendSent, mergeNewest, prependOlder } from './merge-pages.ts';
import { fetchThread, sendReply } from './thread-api.ts';
import { addUnsent, readUnsent, removeUnsent, type UnsentMessage } from './thread-store.ts';

/** A message that is being sent or that failed. */
export interface PendingMessage extends UnsentMessage {
  /** when it was written; ISO 8601, UTC */
  at: string;
  /** why it failed; null while it is being sent */
  problem: string | null;
}

interface State {
  thread: Thread;
  pending: readonly PendingMessage[];
}
type Change =
  | { type: 'newest' | 'older'; thread: Thread }
  | { type: 'sending'; one: PendingMessage }
  | { type: 'failed'; key: string; problem: string }
  | { type: 'arrived'; key: string; id: string; at: string }
  | { type: 'withdrawn'; key: string };

function reduce({ thread, pending }: State, change: Change): State {
  const without = (key: string) => pending.filter((one) => one.key !== key);
  switch (change.type) {
    case 'newest':
      return withoutDelivered({ thread: mergeNewest(thread, change.thread), pending });
    case 'older':
      return withoutDelivered({ thread: prependOlder(thread, change.thread), pending });
    case 'sending':
      return withoutDelivered({ thread, pending: [...without(change.one.key), change.one] });
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
      const mine = { mine: true, seen: false, links: false, file: null, sender: thread.side };
      return {
        thread: appendSent(thread, { ...mine, id, at, key: sent.key, text: sent.text }),
        pending: without(change.key),
      };
    }
  }
}

/** Removes the pending messages that have been delivered. */
function withoutDelivered({ thread, pending }: State): State {
  const arrived = new Set(thread.messages.map(({ key }) => key));
  return { thread, pending: pending.filter(({ key }) => !arrived.has(key)) };
}

/**
 * The client state of an open conversation: the server's messages, older pages on demand, and the user's own messages
 * from the moment they are sent. A message keeps its idempotency key across retries, so it is delivered once.
 */
export function useConversation(loaded: Thread) {
  const { id } = loaded;
  const [{ thread, pending }, change] = useReducer(reduce, { thread: loaded, pending: [] });
  const [olderState, setOlderState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const sendQueue = useRef<Promise<void>>(Promise.resolve());

  // Requests are numbered as they start, so that a late response does not overwrite a newer one.
  const started = useRef(0);
  const applied = useRef(0);
  useEffect(() => {
    applied.current = ++started.current;
    change({ type: 'newest', thread: loaded });
  }, [loaded]);
  useEffect(() => {
    const arrived = new Set(thread.messages.map(({ key }) => key));
    removeUnsent(id, arrived);
  }, [id, thread]);
  useEffect(() => {
    // Messages that were in flight when the page was closed may or may not be delivered; retrying is safe.
    for (const one of readUnsent(id)) {
      const at = new Date().toISOString();
      change({ type: 'sending', one: { ...one, at, problem: SEND_FAILED } });
    }
  }, [id]);

  const refresh = useCallback(async () => {
    const number = ++started.current;
    try {
      const newest = await fetchThread(id);
      if (number < applied.current) return;
      applied.current = number;
      change({ type: 'newest', thread: newest });
    } catch {
      // The next live event or page load fetches again.
    }
  }, [id]);

  const loadOlder = async () => {
    if (!thread.before || olderState === 'busy') return;
    setOlderState('busy');
    try {
      change({ type: 'older', thread: await fetchThread(id, thread.before) });
      setOlderState('idle');
    } catch {
      setOlderState('failed');
    }
  };

  /** Sends messages one after the other to keep their order. */
  const enqueueSend = (one: UnsentMessage) => {
    const { key, text } = one;
    addUnsent(id, one);
    change({ type: 'sending', one: { ...one, at: new Date().toISOString(), problem: null } });
    sendQueue.current = sendQueue.current.then(async () => {
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
    loadOlder,
    refresh,
    send: (text: string) => enqueueSend({ key: newKey(), text }),
    retry: ({ key, text }: UnsentMessage) => enqueueSend({ key, text }),
    withdraw: ({ key }: UnsentMessage) => {
      removeUnsent(id, new Set([key]));
      change({ type: 'withdrawn', key });
    },
  };
}

export type ConversationState = ReturnType<typeof useConversation>;

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
