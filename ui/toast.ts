export type ToastTone = 'ok' | 'bad' | 'info' | 'warn';

export interface ToastInput {
  title: string;
  text?: string | undefined;
  /** `bad` is an error and is announced assertively. */
  tone?: ToastTone | undefined;
  /** Where a toast can arrive more than once, it is shown once by its key. */
  key?: string | undefined;
}

export interface ShownToast extends ToastInput {
  tone: ToastTone;
  id: number;
}

let shown: ShownToast | null = null;
let lastId = 0;
let lastKey: string | undefined;
const listeners = new Set<() => void>();

const publish = (next: ShownToast | null) => {
  shown = next;
  for (const listener of listeners) listener();
};

/** Shows a toast, from anywhere in the browser. One is visible at a time: the newest replaces the previous one. */
export function toast(input: ToastInput): void {
  if (input.key && input.key === lastKey) return;
  lastKey = input.key;
  lastId += 1;
  publish({ ...input, tone: input.tone ?? 'ok', id: lastId });
}

/** Removes a toast, if it is still the visible one. */
export function dismissToast(id: number): void {
  if (shown?.id === id) publish(null);
}

/** The external store that `<Toaster>` subscribes to. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  get: () => shown,
  getOnServer: () => null,
};
