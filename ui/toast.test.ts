import { afterEach, expect, test, vi } from 'vitest';
import { dismissToast, toast, toastStore } from './toast.ts';

afterEach(() => {
  const shown = toastStore.get();
  if (shown) dismissToast(shown.id);
});

test('one toast is visible and the newest wins (B-023)', () => {
  toast({ title: 'First' });
  toast({ title: 'Second', tone: 'bad' });
  expect(toastStore.get()).toMatchObject({ title: 'Second', tone: 'bad' });
});

test('a toast is good news unless told', () => {
  toast({ title: 'Inquiry Sent', tone: undefined });
  expect(toastStore.get()?.tone).toBe('ok');
});

test('the clock of an old toast does not take a newer one away', () => {
  toast({ title: 'Old' });
  const old = toastStore.get()?.id ?? 0;
  toast({ title: 'New' });
  dismissToast(old);
  expect(toastStore.get()?.title).toBe('New');
});

test('the same words twice are two toasts', () => {
  toast({ title: 'Again' });
  const first = toastStore.get()?.id;
  toast({ title: 'Again' });
  expect(toastStore.get()?.id).not.toBe(first);
});

test('listeners hear until they leave', () => {
  const heard = vi.fn();
  const leave = toastStore.subscribe(heard);
  toast({ title: 'One' });
  leave();
  toast({ title: 'Two' });
  expect(heard).toHaveBeenCalledTimes(1);
});
