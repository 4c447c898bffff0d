import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { blankForm, type ListingForm } from '../form.ts';
import { DraftAutosave, type DraftMessage } from './draft-autosave.ts';
import { readLocalCopy } from './local-copy.ts';
import type { SaveDraftRequest, SaveDraftResponse } from './save-draft-request.ts';

const STORAGE_KEY = 'acre-listing:me:new';
const SAVED_AT = '2026-11-20T12:00:00.000Z';

/** A fake server that stores a draft like the real command, and records its calls. */
function fakeServer() {
  const calls: SaveDraftRequest[] = [];
  const state = {
    version: 0,
    form: blankForm,
    /** overrides the next answers, one each */
    says: [] as SaveDraftResponse[],
    calls,
    async send(call: SaveDraftRequest): Promise<SaveDraftResponse> {
      calls.push(call);
      const instead = state.says.shift();
      if (instead) return instead;
      if (call.version !== state.version)
        return {
          ok: false,
          reason: 'newer',
          draft: { id: 'd', version: state.version, form: state.form, savedAt: SAVED_AT },
        };
      state.version += 1;
      state.form = call.form;
      return { ok: true, draft: { id: 'd', version: state.version, savedAt: SAVED_AT } };
    },
  };
  return state;
}
const createAutosave = (
  server: ReturnType<typeof fakeServer>,
  messages: DraftMessage[] = [],
  draft: ConstructorParameters<typeof DraftAutosave>[0]['draft'] = null,
) =>
  new DraftAutosave(
    { draftId: 'd', propertyId: null, base: blankForm, draft, typed: null },
    { storageKey: STORAGE_KEY, send: server.send, broadcast: (one) => messages.push(one), delayMs: 100 },
  );
const form = (changes: Partial<ListingForm>) => ({ ...blankForm, ...changes });
const wait = (ms = 100) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  for (const storage of ['localStorage', 'sessionStorage']) {
    const stored = new Map<string, string>();
    vi.stubGlobal(storage, {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    });
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('saves locally at once and on the server after a delay, once for many keystrokes', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  expect(readLocalCopy(STORAGE_KEY)?.form.title).toBe('A');
  await wait(60);
  autosave.edit(form({ title: 'Ab' }));
  await wait(60);
  expect(server.calls).toHaveLength(0);
  await wait();
  expect(server.calls.map(({ version, form: sent }) => [version, sent.title])).toEqual([[0, 'Ab']]);
  expect(autosave.get()).toMatchObject({ status: 'saved', version: 1, savedAt: SAVED_AT });
  expect(readLocalCopy(STORAGE_KEY)).toBeNull();
});

it('saves again when the form changed during a save', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  await wait();
  autosave.edit(form({ title: 'Ab' }));
  await wait();
  expect(server.version).toBe(2);
  expect(server.form.title).toBe('Ab');
});

it('retries when the server is unreachable, and loses nothing in the meantime', async () => {
  const server = fakeServer();
  server.says.push({ ok: false, reason: 'unreached', retryAfterMs: 4_000 });
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  await wait();
  expect(autosave.get().status).toBe('unreached');
  expect(readLocalCopy(STORAGE_KEY)?.form.title).toBe('A');
  await wait(4_000);
  expect(server.form.title).toBe('A');
  expect(autosave.get().status).toBe('saved');
});

it('restores the local copy when the page is opened again', async () => {
  const server = fakeServer();
  server.says.push({ ok: false, reason: 'signed_out' });
  const before = createAutosave(server);
  before.edit(form({ title: 'Typed while signed out' }));
  await wait();
  expect(before.get().status).toBe('signed_out');
  const after = createAutosave(server);
  after.restore(blankForm);
  expect(after.get()).toMatchObject({ restored: true, form: { title: 'Typed while signed out' } });
  await wait();
  expect(server.form.title).toBe('Typed while signed out');
});

it('shows what was saved last when a reload was answered before the save', async () => {
  const server = fakeServer();
  const before = createAutosave(server);
  before.edit(form({ title: 'A' }));
  await wait();
  const first = { id: 'd', version: server.version, form: server.form, savedAt: SAVED_AT };
  const withoutDraft = createAutosave(server);
  withoutDraft.restore(blankForm);
  expect(withoutDraft.get()).toMatchObject({ form: { title: 'A' }, version: 1, restored: false });
  before.edit(form({ title: 'Ab' }));
  await wait();
  const withOlder = createAutosave(server, [], first);
  withOlder.restore(first.form);
  expect(withOlder.get()).toMatchObject({ form: { title: 'Ab' }, version: 2, restored: false });
  expect(server.calls).toHaveLength(2);
  withOlder.edit(form({ title: 'Abc' }));
  await wait();
  expect(server).toMatchObject({ version: 3, form: { title: 'Abc' } });
});

it('shows the draft as it was loaded when it is newer than what this tab saved last, or ended long ago', async () => {
  const server = fakeServer();
  const before = createAutosave(server);
  before.edit(form({ title: 'A' }));
  await wait();
  const newer = { id: 'd', version: 5, form: form({ title: 'Elsewhere' }), savedAt: SAVED_AT };
  const after = createAutosave(server, [], newer);
  after.restore(newer.form);
  expect(after.get()).toMatchObject({ form: { title: 'Elsewhere' }, version: 5 });
  await wait(60_000);
  const later = createAutosave(server);
  later.restore(blankForm);
  expect(later.get().form).toEqual(blankForm);
});

it('keeps the local copy and what was typed before hydration, which is edited first', async () => {
  const server = fakeServer();
  server.says.push({ ok: false, reason: 'signed_out' });
  const before = createAutosave(server);
  before.edit(form({ title: 'Typed while signed out' }));
  await wait();
  const after = createAutosave(server);
  const early = form({ description: 'Early' });
  after.edit(early);
  after.restore(early);
  const both = { title: 'Typed while signed out', description: 'Early' };
  expect(after.get().form).toMatchObject(both);
  expect(readLocalCopy(STORAGE_KEY)?.form).toMatchObject(both);
  await wait();
  expect(server.form).toMatchObject(both);
});

it('keeps what was typed before hydration', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.restore(form({ title: 'Early' }));
  expect(autosave.get().form.title).toBe('Early');
  await wait();
  expect(server.form.title).toBe('Early');
});

it('merges the edits of two windows without losing any', async () => {
  const server = fakeServer();
  const [one, two] = [createAutosave(server), createAutosave(server)];
  one.edit(form({ title: 'From one', price: '1' }));
  await wait();
  two.edit(form({ title: 'From two', bedrooms: '3' }));
  await wait();
  // The second window got the first one's draft: the price is merged, the title is a conflict.
  expect(two.get()).toMatchObject({
    form: { title: 'From two', price: '1', bedrooms: '3' },
    fromTheirs: ['price'],
    conflicts: [{ name: 'title', theirs: { title: 'From one' } }],
  });
  await wait();
  expect(server.form).toMatchObject({ title: 'From two', price: '1', bedrooms: '3' });
  one.merge({ id: 'd', version: server.version, form: server.form, savedAt: SAVED_AT });
  expect(one.get()).toMatchObject({ form: { title: 'From two', bedrooms: '3' }, conflicts: [] });
  two.resolveConflict('title', true);
  await wait();
  expect(server.form.title).toBe('From one');
});

it('does not revive a draft that was submitted in another window', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  await wait();
  server.says.push({ ok: false, reason: 'submitted', propertyId: 'p' });
  autosave.endedElsewhere('d');
  await wait();
  expect(autosave.get()).toMatchObject({ status: 'submitted', submittedPropertyId: 'p' });
  autosave.edit(form({ title: 'B' }));
  await wait();
  expect(server.calls).toHaveLength(2);
  vi.stubGlobal('crypto', { randomUUID: () => 'new-id' });
  server.version = 0;
  autosave.startNewDraft();
  await wait(0);
  expect(server.calls.at(-1)).toMatchObject({ draftId: 'new-id', version: 0, form: { title: 'B' } });
});

it('removes the local copy after submission and notifies the other windows', async () => {
  const server = fakeServer();
  const messages: DraftMessage[] = [];
  const autosave = createAutosave(server, messages);
  autosave.edit(form({ title: 'A' }));
  await autosave.pause();
  autosave.end();
  expect(readLocalCopy(STORAGE_KEY)).toBeNull();
  expect(messages).toEqual([{ kind: 'ended', draftId: 'd' }]);
  autosave.flush();
  await wait();
  expect(server.calls).toHaveLength(0);
});

it('sends what was typed last when the page is left during a save', async () => {
  const server = fakeServer();
  const first = Promise.withResolvers<void>();
  const autosave = new DraftAutosave(
    { draftId: 'd', propertyId: null, base: blankForm, draft: null, typed: null },
    {
      storageKey: STORAGE_KEY,
      async send(call) {
        if (call.version === 0) await first.promise;
        return server.send(call);
      },
      broadcast() {},
      delayMs: 100,
    },
  );
  autosave.edit(form({ title: 'A' }));
  await wait();
  autosave.edit(form({ title: 'Ab' }));
  const flushed = autosave.flush();
  first.resolve();
  await flushed;
  expect(server.form.title).toBe('Ab');
  expect(readLocalCopy(STORAGE_KEY)).toBeNull();
});

it('keeps trying after the page was left, until the form is opened again', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  server.says.push({ ok: false, reason: 'unreached', retryAfterMs: 100 });
  await autosave.flush();
  expect(server.calls).toHaveLength(1);
  server.says.push({ ok: false, reason: 'unreached', retryAfterMs: 100 });
  await wait();
  expect(server.calls).toHaveLength(2);
  autosave.stop();
  await wait(1_000);
  expect(server.calls).toHaveLength(2);
  expect(readLocalCopy(STORAGE_KEY)).toMatchObject({ form: { title: 'A' } });
});

it('saves nothing while the form is being submitted, even when the page is hidden', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  await autosave.pause();
  autosave.edit(form({ title: 'Ab' }));
  await wait();
  await autosave.flush();
  autosave.retry();
  autosave.merge({ id: 'd', version: 1, form: form({ title: 'A' }), savedAt: SAVED_AT });
  await wait(1_000);
  expect(server.calls).toHaveLength(0);
  expect(readLocalCopy(STORAGE_KEY)?.form.title).toBe('Ab');
  server.version = 1;
  autosave.resume();
  await wait(0);
  expect(server.form.title).toBe('Ab');
});

it('saves nothing after the form was submitted', async () => {
  const server = fakeServer();
  const autosave = createAutosave(server);
  autosave.edit(form({ title: 'A' }));
  await autosave.pause();
  autosave.end();
  await autosave.flush();
  await wait(1_000);
  expect(server.calls).toHaveLength(0);
  expect(readLocalCopy(STORAGE_KEY)).toBeNull();
});
