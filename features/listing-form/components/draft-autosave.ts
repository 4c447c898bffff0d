import type { FormField, ListingForm } from '../form.ts';
import { changedFields, isBlank } from '../form.ts';
import type { StoredDraft } from '../form-mapping.ts';
import { mergeForms } from '../merge.ts';
import { type LocalCopy, readLastSave, readLocalCopy, writeLastSave, writeLocalCopy } from './local-copy.ts';
import type { SaveDraftRequest, SaveDraftResponse } from './save-draft-request.ts';

/**
 * State of the draft. After `gone`, `locked` or `submitted` nothing more is saved until the user decides how to
 * continue.
 */
type AutosaveStatus =
  | 'idle'
  | 'waiting'
  | 'saved'
  | 'unreached'
  | 'signed_out'
  | 'gone'
  | 'locked'
  | 'submitted';

/** A field that was changed in two places at once, with the other value. */
interface FieldConflict {
  name: FormField;
  theirs: ListingForm;
}

export interface AutosaveState {
  draftId: string;
  version: number;
  form: ListingForm;
  status: AutosaveStatus;
  /** ISO, UTC; null until first saved */
  savedAt: string | null;
  /** fields merged from another window; null when there is nothing to show */
  fromTheirs: readonly FormField[] | null;
  conflicts: readonly FieldConflict[];
  /** true when the form was restored from the local copy */
  restored: boolean;
  /** true once the user has typed */
  edited: boolean;
  /** id of the listing created from the draft in another window */
  submittedPropertyId: string | null;
}

export interface AutosaveStart {
  draftId: string;
  propertyId: string | null;
  /** blank for a new listing, else the stored listing */
  base: ListingForm;
  draft: StoredDraft | null;
  /** what a rejected submission without JavaScript returned */
  typed: ListingForm | null;
}

/** Side effects, replaceable in tests. */
interface AutosaveDependencies {
  storageKey: string;
  send(call: SaveDraftRequest, leaving?: boolean): Promise<SaveDraftResponse>;
  /** notifies the other windows of this browser */
  broadcast(message: DraftMessage): void;
  delayMs: number;
}
export type DraftMessage = { kind: 'saved'; draft: StoredDraft } | { kind: 'ended'; draftId: string };

/** How long a reload can be under way that was answered before the draft's first save. */
const RELOAD_MS = 60_000;

const ENDED: readonly AutosaveStatus[] = ['gone', 'locked', 'submitted'];

/**
 * Autosaves the seller's form: in this browser at once, on the server after a short delay. Changes saved by another
 * window are merged in, so that neither overwrites the other.
 */
export class DraftAutosave {
  readonly #start: AutosaveStart;
  readonly #dependencies: AutosaveDependencies;
  readonly #listeners = new Set<() => void>();
  /** the form as last saved on the server */
  #synced: ListingForm;
  #state: AutosaveState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  #stopped = false;
  #paused = false;
  #restored = false;
  /** the local copy as the page found it, where something was typed before it was restored */
  #foundCopy: LocalCopy | null | undefined;

  constructor(start: AutosaveStart, dependencies: AutosaveDependencies) {
    this.#start = start;
    this.#dependencies = dependencies;
    this.#synced = start.draft?.form ?? start.base;
    this.#state = {
      draftId: start.draft?.id ?? start.draftId,
      version: start.draft?.version ?? 0,
      form: start.typed ?? this.#synced,
      status: 'idle',
      savedAt: start.draft?.savedAt ?? null,
      fromTheirs: null,
      conflicts: [],
      restored: false,
      edited: start.typed !== null,
      submittedPropertyId: null,
    };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  get = (): AutosaveState => this.#state;

  /** Restores the local copy, and what was typed before hydration. */
  restore(typedBefore: ListingForm): void {
    this.#stopped = false;
    const shown = this.#start.typed ?? this.#synced;
    this.#takeLastSave();
    const copy =
      this.#restored || this.#foundCopy === undefined
        ? readLocalCopy(this.#dependencies.storageKey)
        : this.#foundCopy;
    this.#restored = true;
    if (copy) this.#takeCopy(copy);
    const { form } = mergeForms(shown, typedBefore, this.#state.form);
    if (changedFields(this.#state.form, form).length > 0) this.edit(form);
    else if (this.#isUnsaved()) {
      this.#copy();
      this.#plan(0);
    }
  }

  /** The page may have been loaded while its last save was still running, and then shows the draft before it. */
  #takeLastSave(): void {
    const save = readLastSave(this.#dependencies.storageKey);
    if (!save) return;
    const { draft } = this.#start;
    const isNewer = draft
      ? draft.id === save.draftId && draft.version < save.version
      : Date.now() - save.at < RELOAD_MS;
    if (!isNewer) return;
    this.#synced = save.form;
    this.#set({ draftId: save.draftId, version: save.version, form: save.form, edited: true });
  }

  #takeCopy(copy: LocalCopy): void {
    const { form, conflicting } = mergeForms(copy.synced, copy.form, this.#synced);
    if (changedFields(this.#synced, form).length === 0) {
      writeLocalCopy(this.#dependencies.storageKey, null);
      return;
    }
    // Without a draft on the server, continue the local copy's own: the server knows what became of it.
    const own = this.#start.draft ? {} : { draftId: copy.draftId, version: copy.version };
    this.#set({
      ...own,
      form,
      restored: true,
      edited: true,
      conflicts: this.#conflictsOf(conflicting, this.#synced),
    });
    this.#copy();
  }

  edit(form: ListingForm): void {
    this.#set({ form, edited: true });
    this.#copy();
    this.#plan(this.#dependencies.delayMs);
  }

  /** Resolves a conflict with the other window's value, or keeps the current one. */
  resolveConflict(name: FormField, useTheirs: boolean): void {
    const one = this.#state.conflicts.find((conflicts) => conflicts.name === name);
    this.#set({ conflicts: this.#state.conflicts.filter((conflicts) => conflicts !== one) });
    if (one && useTheirs) this.edit({ ...this.#state.form, [name]: one.theirs[name] });
  }

  dismissNotices(): void {
    this.#set({ fromTheirs: null, restored: false });
  }

  /** Merges a draft saved by another window; true when there is nothing the user has to see. */
  merge(draft: StoredDraft): boolean {
    if (this.#isEnded()) return true;
    if (draft.id === this.#state.draftId && draft.version <= this.#state.version) return true;
    const { form, fromTheirs, conflicting } = mergeForms(this.#synced, this.#state.form, draft.form);
    this.#synced = draft.form;
    const allFromTheirs = [...new Set([...(this.#state.fromTheirs ?? []), ...fromTheirs])];
    this.#set({
      draftId: draft.id,
      version: draft.version,
      savedAt: draft.savedAt,
      form,
      fromTheirs: allFromTheirs.length > 0 ? allFromTheirs : null,
      conflicts: [
        ...this.#state.conflicts.filter(({ name }) => !conflicting.includes(name)),
        ...this.#conflictsOf(conflicting, draft.form),
      ],
    });
    this.#copy();
    if (this.#isUnsaved()) this.#plan(this.#dependencies.delayMs);
    return fromTheirs.length === 0 && conflicting.length === 0;
  }

  #conflictsOf = (names: readonly FormField[], theirs: ListingForm): FieldConflict[] =>
    names.map((name) => ({ name, theirs }));

  /** Another window has submitted or discarded the draft: asks the server which. */
  endedElsewhere(draftId: string): void {
    if (draftId !== this.#state.draftId || this.#isEnded()) return;
    clearTimeout(this.#timer);
    void this.#save({ force: true });
  }

  /** The submission was refused because the session has ended. */
  signedOut(): void {
    this.#paused = false;
    this.#copy();
    this.#set({ status: 'signed_out' });
  }

  /** Starts a new draft with the current form after the old draft has ended. */
  startNewDraft(): void {
    this.#synced = this.#start.base;
    this.#set({ draftId: crypto.randomUUID(), version: 0, status: 'idle', submittedPropertyId: null });
    this.#copy();
    this.#plan(0);
  }

  /**
   * Saves nothing more, and waits for a running save: the form itself is about to be submitted, and a draft that is saved after
   * that would be left over.
   */
  async pause(): Promise<void> {
    this.#paused = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** The form was not submitted: saves again, what changed meanwhile at once. */
  resume(): void {
    this.#paused = false;
    this.retry();
  }

  /** Saves what is unsaved now. */
  retry(): void {
    if (this.#isUnsaved()) this.#plan(0);
  }

  /**
   * The page is closed or hidden: sends unsaved changes right away, after a save that is already running.
   * @returns when nothing is being saved anymore, whether or not it succeeded
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    // At once when nothing is running: a page that closes gives no second chance.
    if (this.#running) await this.#running;
    if (this.#paused || !this.#isUnsaved() || this.#isEnded()) return;
    if (this.#state.version === 0 && isBlank(this.#state.form)) return;
    clearTimeout(this.#timer);
    await this.#save({ leaving: true });
  }

  /** The draft was submitted, saved or discarded: removes the local copy and notifies the other windows. */
  end(): void {
    clearTimeout(this.#timer);
    this.#synced = this.#state.form;
    writeLocalCopy(this.#dependencies.storageKey, null);
    writeLastSave(this.#dependencies.storageKey, null);
    this.#dependencies.broadcast({ kind: 'ended', draftId: this.#state.draftId });
    this.#set({ edited: false });
  }

  /** Plans no further saves; a running one is completed. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #isUnsaved = (): boolean => changedFields(this.#synced, this.#state.form).length > 0;
  #isEnded = (): boolean => ENDED.includes(this.#state.status);

  #plan(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#paused || this.#isEnded()) return;
    if (this.#state.version === 0 && isBlank(this.#state.form)) return;
    this.#set({ status: this.#state.status === 'saved' ? 'waiting' : this.#state.status });
    this.#timer = setTimeout(() => void this.#save(), ms);
  }

  #save(how: { leaving?: true; force?: true } = {}): Promise<void> {
    this.#running ??= this.#saveOnce(how).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #saveOnce({ leaving, force }: { leaving?: true; force?: true }): Promise<void> {
    if (this.#isEnded() || !(force || this.#isUnsaved())) return;
    const call = this.#call();
    const answer = await this.#dependencies.send(call, leaving);
    if (answer.ok) {
      this.#synced = call.form;
      this.#set({
        draftId: answer.draft.id,
        version: answer.draft.version,
        savedAt: answer.draft.savedAt,
        status: 'saved',
      });
      this.#copy();
      const { id: draftId, version } = answer.draft;
      const save = { draftId, version, synced: call.form, form: call.form, at: Date.now() };
      writeLastSave(this.#dependencies.storageKey, save);
      this.#dependencies.broadcast({ kind: 'saved', draft: { ...answer.draft, form: call.form } });
      if (this.#isUnsaved()) this.#plan(this.#dependencies.delayMs);
    } else if (answer.reason === 'newer') this.merge(answer.draft);
    else if (answer.reason === 'unreached') {
      this.#set({ status: 'unreached' });
      this.#plan(answer.retryAfterMs);
    } else {
      writeLastSave(this.#dependencies.storageKey, null);
      this.#set({
        status: answer.reason,
        submittedPropertyId: answer.reason === 'submitted' ? answer.propertyId : null,
      });
    }
  }

  #call(): SaveDraftRequest {
    const { draftId, version, form } = this.#state;
    const { propertyId, base } = this.#start;
    return { draftId, propertyId, version, form, base: propertyId === null ? null : base };
  }

  #copy(): void {
    if (!this.#restored && this.#foundCopy === undefined)
      this.#foundCopy = readLocalCopy(this.#dependencies.storageKey);
    const { draftId, version, form } = this.#state;
    writeLocalCopy(
      this.#dependencies.storageKey,
      this.#isUnsaved() ? { draftId, version, synced: this.#synced, form } : null,
    );
  }

  #set(change: Partial<AutosaveState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
