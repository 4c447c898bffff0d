import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { blankForm, type ListingForm } from '../listing-form.ts';
import { DraftKeeper, type KeeperNews } from './draft-keeper.ts';
import { readCopy } from './local-copy.ts';
import type { DraftAnswer, DraftCall } from './send-draft.ts';

const NAME = 'acre-listing:me:new';
const SAVED_AT = '2026-11-20T12:00:00.000Z';

/** A server's draft, as the real command keeps it, and what it was asked. */
function server() {
  const calls: DraftCall[] = [];
  const state = {
    version: 0,
    form: blankForm,
    /** answers this instead, once each */
    says: [] as DraftAnswer[],
    calls,
    async send(call: DraftCall): Promise<DraftAnswer> {
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
const keeperOf = (
  on: ReturnType<typeof server>,
  news: KeeperNews[] = [],
  draft: ConstructorParameters<typeof DraftKeeper>[0]['draft'] = null,
) =>
  new DraftKeeper(
    { draftId: 'd', propertyId: null, base: blankForm, draft, typed: null },
    { copyName: NAME, send: on.send, tell: (one) => news.push(one), pauseMs: 100 },
  );
const form = (changes: Partial<ListingForm>) => ({ ...blankForm, ...changes });
const pause = (ms = 100) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('keeps what is typed in the browser at once and on the server after a pause, once for many keys', async () => {
  const on = server();
  const keeper = keeperOf(on);
  keeper.edit(form({ title: 'A' }));
  expect(readCopy(NAME)?.form.title).toBe('A');
  await pause(60);
  keeper.edit(form({ title: 'Ab' }));
  await pause(60);
  expect(on.calls).toHaveLength(0);
  await pause();
  expect(on.calls.map(({ version, form: sent }) => [version, sent.title])).toEqual([[0, 'Ab']]);
  expect(keeper.get()).toMatchObject({ saving: 'saved', version: 1, savedAt: SAVED_AT });
  expect(readCopy(NAME)).toBeNull();
});

it('saves again what was typed while it was saving', async () => {
  const on = server();
  const keeper = keeperOf(on);
  keeper.edit(form({ title: 'A' }));
  await pause();
  keeper.edit(form({ title: 'Ab' }));
  await pause();
  expect(on.version).toBe(2);
  expect(on.form.title).toBe('Ab');
});

it('tries again when the server is not reached, and loses nothing meanwhile', async () => {
  const on = server();
  on.says.push({ ok: false, reason: 'unreached', againMs: 4_000 });
  const keeper = keeperOf(on);
  keeper.edit(form({ title: 'A' }));
  await pause();
  expect(keeper.get().saving).toBe('unreached');
  expect(readCopy(NAME)?.form.title).toBe('A');
  await pause(4_000);
  expect(on.form.title).toBe('A');
  expect(keeper.get().saving).toBe('saved');
});

it('brings back what the browser kept when the page is opened again', async () => {
  const on = server();
  on.says.push({ ok: false, reason: 'signed_out' });
  const before = keeperOf(on);
  before.edit(form({ title: 'Typed while signed out' }));
  await pause();
  expect(before.get().saving).toBe('signed_out');
  const after = keeperOf(on);
  after.restore(blankForm);
  expect(after.get()).toMatchObject({ restored: true, form: { title: 'Typed while signed out' } });
  await pause();
  expect(on.form.title).toBe('Typed while signed out');
});

it('keeps what was typed before the scripts came', async () => {
  const on = server();
  const keeper = keeperOf(on);
  keeper.restore(form({ title: 'Early' }));
  expect(keeper.get().form.title).toBe('Early');
  await pause();
  expect(on.form.title).toBe('Early');
});

it('puts two windows together: neither loses a word', async () => {
  const on = server();
  const [one, two] = [keeperOf(on), keeperOf(on)];
  one.edit(form({ title: 'From one', price: '1' }));
  await pause();
  two.edit(form({ title: 'From two', bedrooms: '3' }));
  await pause();
  // The second was told what the first had saved: the price is taken over, both titles are there to choose from.
  expect(two.get()).toMatchObject({
    form: { title: 'From two', price: '1', bedrooms: '3' },
    taken: ['price'],
    contested: [{ name: 'title', theirs: { title: 'From one' } }],
  });
  await pause();
  expect(on.form).toMatchObject({ title: 'From two', price: '1', bedrooms: '3' });
  one.meet({ id: 'd', version: on.version, form: on.form, savedAt: SAVED_AT });
  expect(one.get()).toMatchObject({ form: { title: 'From two', bedrooms: '3' }, contested: [] });
  two.settleContest('title', true);
  await pause();
  expect(on.form.title).toBe('From one');
});

it('does not bring a draft back that was submitted in another window', async () => {
  const on = server();
  const keeper = keeperOf(on);
  keeper.edit(form({ title: 'A' }));
  await pause();
  on.says.push({ ok: false, reason: 'submitted', propertyId: 'p' });
  keeper.endedElsewhere('d');
  await pause();
  expect(keeper.get()).toMatchObject({ saving: 'submitted', submittedAs: 'p' });
  keeper.edit(form({ title: 'B' }));
  await pause();
  expect(on.calls).toHaveLength(2);
  vi.stubGlobal('crypto', { randomUUID: () => 'new-id' });
  on.version = 0;
  keeper.beginAnew();
  await pause(0);
  expect(on.calls.at(-1)).toMatchObject({ draftId: 'new-id', version: 0, form: { title: 'B' } });
});

it('leaves nothing behind when its form was taken, and tells the other windows', async () => {
  const on = server();
  const news: KeeperNews[] = [];
  const keeper = keeperOf(on, news);
  keeper.edit(form({ title: 'A' }));
  await keeper.rest();
  keeper.end();
  expect(readCopy(NAME)).toBeNull();
  expect(news).toEqual([{ kind: 'ended', draftId: 'd' }]);
  keeper.leave();
  await pause();
  expect(on.calls).toHaveLength(0);
});
