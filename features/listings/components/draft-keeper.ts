import { mergeForms } from '../form/merge.ts';
import type { StoredDraft } from '../form/stored.ts';
import type { FormField, ListingForm } from '../listing-form.ts';
import { changedFields, isBlank } from '../listing-form.ts';
import { type LocalCopy, readCopy, writeCopy } from './local-copy.ts';
import type { DraftAnswer, DraftCall } from './send-draft.ts';

/** Where a form's draft stands. `ended` drafts are saved no more until the reader decides what becomes of them. */
export type Saving =
  | 'idle'
  | 'waiting'
  | 'saved'
  | 'unreached'
  | 'signed_out'
  | 'gone'
  | 'locked'
  | 'submitted';

/** A field that was changed in two places at once: what the other one says. */
export interface Contested {
  name: FormField;
  theirs: ListingForm;
}

export interface Kept {
  draftId: string;
  version: number;
  form: ListingForm;
  saving: Saving;
  /** ISO, UTC; null while nothing was ever saved */
  savedAt: string | null;
  /** fields that came from another window; null when nothing has to be told */
  taken: readonly FormField[] | null;
  contested: readonly Contested[];
  /** true when what stands here was brought back from this browser's own copy */
  restored: boolean;
  /** true once something was typed here */
  edited: boolean;
  /** the listing that the draft has become in another window */
  submittedAs: string | null;
}

export interface KeeperStart {
  draftId: string;
  propertyId: string | null;
  /** blank for a new listing, else the listing as it stands */
  base: ListingForm;
  draft: StoredDraft | null;
  /** what a refused form brought back, when no script had sent it */
  typed: ListingForm | null;
}

/** How the keeper reaches the world; tests bring their own. */
export interface KeeperMeans {
  copyName: string;
  send(call: DraftCall, leaving?: boolean): Promise<DraftAnswer>;
  /** tells the other windows of this browser */
  tell(news: KeeperNews): void;
  pauseMs: number;
}
export type KeeperNews = { kind: 'saved'; draft: StoredDraft } | { kind: 'ended'; draftId: string };

const ENDED: readonly Saving[] = ['gone', 'locked', 'submitted'];

/**
 * Keeps what is typed into the seller's form: in this browser at once, on the server after a short pause. What another
 * window has saved meanwhile is put together with it, so that neither overwrites the other (B-105).
 */
export class DraftKeeper {
  readonly #start: KeeperStart;
  readonly #means: KeeperMeans;
  readonly #listeners = new Set<() => void>();
  /** the form as the server has it */
  #synced: ListingForm;
  #kept: Kept;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;

  constructor(start: KeeperStart, means: KeeperMeans) {
    this.#start = start;
    this.#means = means;
    this.#synced = start.draft?.form ?? start.base;
    this.#kept = {
      draftId: start.draft?.id ?? start.draftId,
      version: start.draft?.version ?? 0,
      form: start.typed ?? this.#synced,
      saving: 'idle',
      savedAt: start.draft?.savedAt ?? null,
      taken: null,
      contested: [],
      restored: false,
      edited: start.typed !== null,
      submittedAs: null,
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  get = (): Kept => this.#kept;

  /** Brings back what this browser kept beyond the server, and what was typed before the scripts came. */
  restore(typedBefore: ListingForm): void {
    const copy = readCopy(this.#means.copyName);
    const shown = this.#kept.form;
    if (copy) this.#takeCopy(copy);
    const { form } = mergeForms(shown, typedBefore, this.#kept.form);
    if (changedFields(this.#kept.form, form).length > 0) this.edit(form);
    else if (this.#isUnsaved()) this.#plan(0);
  }

  #takeCopy(copy: LocalCopy): void {
    const { form, both } = mergeForms(copy.synced, copy.form, this.#synced);
    if (changedFields(this.#synced, form).length === 0) {
      writeCopy(this.#means.copyName, null);
      return;
    }
    // Without a draft on the server the copy's own goes on: the server knows what has become of it.
    const own = this.#start.draft ? {} : { draftId: copy.draftId, version: copy.version };
    this.#set({ ...own, form, restored: true, edited: true, contested: this.#contest(both, this.#synced) });
    this.#copy();
  }

  edit(form: ListingForm): void {
    this.#set({ form, edited: true });
    this.#copy();
    this.#plan(this.#means.pauseMs);
  }

  /** Takes what the other one said in a field after all, or keeps what stands here. */
  settleContest(name: FormField, useTheirs: boolean): void {
    const one = this.#kept.contested.find((contested) => contested.name === name);
    this.#set({ contested: this.#kept.contested.filter((contested) => contested !== one) });
    if (one && useTheirs) this.edit({ ...this.#kept.form, [name]: one.theirs[name] });
  }

  dismissNews(): void {
    this.#set({ taken: null, restored: false });
  }

  /** What another window has saved; true when it is put together without anything that the reader has to see. */
  meet(draft: StoredDraft): boolean {
    if (this.#isEnded()) return true;
    if (draft.id === this.#kept.draftId && draft.version <= this.#kept.version) return true;
    const { form, taken, both } = mergeForms(this.#synced, this.#kept.form, draft.form);
    this.#synced = draft.form;
    const told = [...new Set([...(this.#kept.taken ?? []), ...taken])];
    this.#set({
      draftId: draft.id,
      version: draft.version,
      savedAt: draft.savedAt,
      form,
      taken: told.length > 0 ? told : null,
      contested: [
        ...this.#kept.contested.filter(({ name }) => !both.includes(name)),
        ...this.#contest(both, draft.form),
      ],
    });
    this.#copy();
    if (this.#isUnsaved()) this.#plan(this.#means.pauseMs);
    return taken.length === 0 && both.length === 0;
  }

  #contest = (names: readonly FormField[], theirs: ListingForm): Contested[] =>
    names.map((name) => ({ name, theirs }));

  /** Another window has submitted the draft, saved it as an edit or discarded it: the server says which. */
  endedElsewhere(draftId: string): void {
    if (draftId !== this.#kept.draftId || this.#isEnded()) return;
    clearTimeout(this.#timer);
    void this.#save({ asking: true });
  }

  /** The form was refused because nobody is signed in any more. */
  signedOut(): void {
    this.#copy();
    this.#set({ saving: 'signed_out' });
  }

  /** Begins a draft of its own with what stands here, after the one it belonged to has ended. */
  beginAnew(): void {
    this.#synced = this.#start.base;
    this.#set({ draftId: crypto.randomUUID(), version: 0, saving: 'idle', submittedAs: null });
    this.#copy();
    this.#plan(0);
  }

  /** Saves nothing more for the moment, and waits for what is on its way: the form itself is about to be sent. */
  async rest(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
    clearTimeout(this.#timer);
  }

  /** Goes on saving, at once. */
  resume(): void {
    if (this.#isUnsaved()) this.#plan(0);
  }

  /** The page goes or is put aside: what is not saved is sent on its way. */
  leave(): void {
    if (!this.#isUnsaved() || this.#isEnded() || (this.#kept.version === 0 && isBlank(this.#kept.form)))
      return;
    clearTimeout(this.#timer);
    void this.#save({ leaving: true });
  }

  /** The draft has become a listing, was saved as an edit, or was discarded: nothing of it stays. */
  end(): void {
    clearTimeout(this.#timer);
    this.#synced = this.#kept.form;
    writeCopy(this.#means.copyName, null);
    this.#means.tell({ kind: 'ended', draftId: this.#kept.draftId });
    this.#set({ edited: false });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #isUnsaved = (): boolean => changedFields(this.#synced, this.#kept.form).length > 0;
  #isEnded = (): boolean => ENDED.includes(this.#kept.saving);

  #plan(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isEnded()) return;
    if (this.#kept.version === 0 && isBlank(this.#kept.form)) return;
    this.#set({ saving: this.#kept.saving === 'saved' ? 'waiting' : this.#kept.saving });
    this.#timer = setTimeout(() => void this.#save(), ms);
  }

  #save(how: { leaving?: true; asking?: true } = {}): Promise<void> {
    this.#running ??= this.#saveOnce(how).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #saveOnce({ leaving, asking }: { leaving?: true; asking?: true }): Promise<void> {
    if (this.#isEnded() || !(asking || this.#isUnsaved())) return;
    const call = this.#call();
    const answer = await this.#means.send(call, leaving);
    if (answer.ok) {
      this.#synced = call.form;
      this.#set({
        draftId: answer.draft.id,
        version: answer.draft.version,
        savedAt: answer.draft.savedAt,
        saving: 'saved',
      });
      this.#copy();
      this.#means.tell({ kind: 'saved', draft: { ...answer.draft, form: call.form } });
      if (this.#isUnsaved()) this.#plan(this.#means.pauseMs);
    } else if (answer.reason === 'newer') this.meet(answer.draft);
    else if (answer.reason === 'unreached') {
      this.#set({ saving: 'unreached' });
      this.#plan(answer.againMs);
    } else
      this.#set({
        saving: answer.reason,
        submittedAs: answer.reason === 'submitted' ? answer.propertyId : null,
      });
  }

  #call(): DraftCall {
    const { draftId, version, form } = this.#kept;
    const { propertyId, base } = this.#start;
    return { draftId, propertyId, version, form, base: propertyId === null ? null : base };
  }

  #copy(): void {
    const { draftId, version, form } = this.#kept;
    writeCopy(
      this.#means.copyName,
      this.#isUnsaved() ? { draftId, version, synced: this.#synced, form } : null,
    );
  }

  #set(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    for (const listener of this.#listeners) listener();
  }
}
