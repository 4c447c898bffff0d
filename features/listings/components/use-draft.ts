import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { formOfData } from '../listing-form.ts';
import { DraftKeeper, type KeeperNews, type KeeperStart, type Kept } from './draft-keeper.ts';
import { copyName } from './local-copy.ts';
import { sendDraft } from './send-draft.ts';

const PAUSE_MS = 800;
/** The keeper of the form that is open; its action tells it how the submission went. */
const open: { keeper: DraftKeeper | null } = { keeper: null };

/** The draft of the open form has ended: it was submitted. */
export const endOpenDraft = (): void => open.keeper?.end();

/** Keeps the form of a page: `kept` is what it shows. Windows of the same browser hear of each other. */
export function useDraft(
  start: KeeperStart,
  { userId, form, readOnly }: { userId: string; form: RefObject<HTMLFormElement | null>; readOnly: boolean },
): { keeper: DraftKeeper; kept: Kept } {
  const name = copyName(userId, start.propertyId);
  const [keeper] = useState(
    () =>
      new DraftKeeper(start, {
        copyName: name,
        send: sendDraft,
        tell: (news) => channel()?.postMessage(news),
        pauseMs: PAUSE_MS,
      }),
  );
  const kept = useSyncExternalStore(keeper.subscribe, keeper.get, keeper.get);

  useEffect(() => {
    if (readOnly) return;
    open.keeper = keeper;
    const others = new BroadcastChannel(name);
    others.onmessage = ({ data }: MessageEvent<KeeperNews>) => {
      if (data.kind === 'saved') keeper.meet(data.draft);
      else keeper.endedElsewhere(data.draftId);
    };
    channels.current = others;
    if (form.current) keeper.restore(formOfData(new FormData(form.current)));
    const onHide = () => document.hidden && keeper.leave();
    const onOnline = () => keeper.resume();
    document.addEventListener('visibilitychange', onHide);
    addEventListener('pagehide', onHide);
    addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      removeEventListener('pagehide', onHide);
      removeEventListener('online', onOnline);
      keeper.leave();
      keeper.stop();
      others.close();
      channels.current = null;
      open.keeper = null;
    };
  }, [keeper, name, form, readOnly]);

  // The page's data was read again, and another window has saved since.
  const { draft } = start;
  useEffect(() => {
    if (draft) keeper.meet(draft);
  }, [keeper, draft]);
  return { keeper, kept };
}

const channels: { current: BroadcastChannel | null } = { current: null };
const channel = () => channels.current;
