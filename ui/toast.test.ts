import { afterEach, expect, test, vi } from 'vitest';
import { dismissToast, toast, toastStore } from './toast.ts';

afterEach(() => {
  const shown = toastStore.get();
  if (shown) dismissToast(shown.id);
});

test('one toast is visible and the newest wins', () => {
  toast({ title: 'First' });
  toast({ title: 'Second', tone: 'bad' });
  expect(toastStore.get()).toMatchObject({ title: 'Second', tone: 'bad' });
});

test('the tone defaults to ok', () => {
  toast({ title: 'Inquiry Sent', tone: undefined });
  expect(toastStore.get()?.tone).toBe('ok');
});

test('dismissing an old toast does not remove a newer one', () => {
  toast({ title: 'Old' });
  const old = toastStore.get()?.id ?? 0;
  toast({ title: 'New' });
  dismissToast(old);
  expect(toastStore.get()?.title).toBe('New');
});

test('the same text twice makes two toasts', () => {
  toast({ title: 'Again' });
  const first = toastStore.get()?.id;
  toast({ title: 'Again' });
  expect(toastStore.get()?.id).not.toBe(first);
});

test('listeners are notified until they unsubscribe', () => {
  const listener = vi.fn();
  const unsubscribe = toastStore.subscribe(listener);
  toast({ title: 'One' });
  unsubscribe();
  toast({ title: 'Two' });
  expect(listener).toHaveBeenCalledTimes(1);
});
