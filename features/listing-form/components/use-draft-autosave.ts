import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { formFromData } from '../form.ts';
import {
  type AutosaveStart,
  type AutosaveState,
  DraftAutosave,
  type DraftMessage,
} from './draft-autosave.ts';
import { localCopyKey } from './local-copy.ts';
import { SAVE_TIMEOUT_MS, sendDraft } from './save-draft-request.ts';

const SAVE_DELAY_MS = 800;
/** Autosave of the open form, so that the route's action can end it after a submission. */
const openForm: { autosave: DraftAutosave | null } = { autosave: null };

/** Forms that were left, by storage key: they go on saving until the same form is opened again. */
const leftForms = new Map<string, DraftAutosave>();

/**
 * Completes the saves of forms that were left, so that a form opened again is loaded with what was typed before.
 * Waits a few seconds at most: what is not saved by then is restored from this browser's own copy.
 */
export const saveLeftForms = (): Promise<void> => saved([...leftForms.values()], 5_000);

/** Saves the open form too, for a page that shows what is in it. Waits longer, as that page knows only what the server has. */
export const saveAllForms = (): Promise<void> =>
  saved([...leftForms.values(), ...(openForm.autosave ? [openForm.autosave] : [])], SAVE_TIMEOUT_MS);

async function saved(forms: readonly DraftAutosave[], waitMs: number): Promise<void> {
  const saves = Promise.all(forms.map((autosave) => autosave.flush()));
  await Promise.race([saves, new Promise((resolve) => setTimeout(resolve, waitMs))]);
}

/** Ends the draft of the open form after it was submitted. */
export const endOpenDraft = (): void => openForm.autosave?.end();

/** Autosaves the form of a page; windows of the same browser are kept in sync by a BroadcastChannel. */
export function useDraft(
  start: AutosaveStart,
  { userId, form, readOnly }: { userId: string; form: RefObject<HTMLFormElement | null>; readOnly: boolean },
): { autosave: DraftAutosave; draftState: AutosaveState } {
  const name = localCopyKey(userId, start.propertyId);
  const [autosave] = useState(
    () =>
      new DraftAutosave(start, {
        storageKey: name,
        send: sendDraft,
        broadcast: (news) => channel()?.postMessage(news),
        delayMs: SAVE_DELAY_MS,
      }),
  );
  const draftState = useSyncExternalStore(autosave.subscribe, autosave.get, autosave.get);

  // Before anything else is on the screen, and so before the form can be opened again.
  useLayoutEffect(() => {
    if (readOnly) return;
    return () => {
      leftForms.set(name, autosave);
      void autosave.flush();
    };
  }, [autosave, name, readOnly]);

  useEffect(() => {
    if (readOnly) return;
    leftForms.get(name)?.stop();
    leftForms.delete(name);
    openForm.autosave = autosave;
    const others = new BroadcastChannel(name);
    others.onmessage = ({ data }: MessageEvent<DraftMessage>) => {
      if (data.kind === 'saved') autosave.merge(data.draft);
      else autosave.endedElsewhere(data.draftId);
    };
    channels.current = others;
    if (form.current) autosave.restore(formFromData(new FormData(form.current)));
    const onHide = () => void (document.hidden && autosave.flush());
    const onOnline = () => autosave.retry();
    document.addEventListener('visibilitychange', onHide);
    addEventListener('pagehide', onHide);
    addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      removeEventListener('pagehide', onHide);
      removeEventListener('online', onOnline);
      others.close();
      channels.current = null;
      openForm.autosave = null;
    };
  }, [autosave, name, form, readOnly]);

  // The page was revalidated and another window has saved in the meantime.
  const { draft } = start;
  useEffect(() => {
    if (draft) autosave.merge(draft);
  }, [autosave, draft]);
  return { autosave, draftState };
}

const channels: { current: BroadcastChannel | null } = { current: null };
const channel = () => channels.current;
