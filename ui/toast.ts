export type ToastTone = 'ok' | 'bad' | 'info' | 'warn';

export interface ToastInput {
  title: string;
  text?: string | undefined;
  /** `bad` is an error and is announced assertively (B-023). */
  tone?: ToastTone | undefined;
}

export interface ShownToast extends ToastInput {
  tone: ToastTone;
  id: number;
}

let shown: ShownToast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

const publish = (next: ShownToast | null) => {
  shown = next;
  for (const listener of listeners) listener();
};

/** Shows a toast, from anywhere in the browser. One is visible at a time: the newest wins (B-023). */
export function toast(input: ToastInput): void {
  lastId += 1;
  publish({ ...input, tone: input.tone ?? 'ok', id: lastId });
}

/** Takes a toast away, if it is still the one that shows. */
export function dismissToast(id: number): void {
  if (shown?.id === id) publish(null);
}

/** What `<Toaster>` listens to. */
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
