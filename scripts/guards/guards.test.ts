import { transformWithOxc } from 'vite';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { findGuards, sourceFiles, switchableSources } from './find-guards.ts';
import { parse } from './syntax.ts';

const sources = sourceFiles(projectRoot);
const guards = findGuards(sources);

/** How many of each kind there are; a rule that finds fewer has lost sight of them, unless a guard has really gone. */
const KNOWN = {
  authorize: 59,
  'authorized-user': 56,
  permission: 29,
  operand: 9,
  decision: 50,
  refusal: 134,
  signature: 19,
  ownership: 87,
  visibility: 26,
  'own-fields': 5,
  'rate-limit': 31,
  audit: 34,
  transition: 77,
  middleware: 10,
  'safe-address': 5,
};

/** What the rules find in one file. */
const found = (file: string, text: string) =>
  findGuards(new Map([[file, text]])).map(({ kind, code, becomes }) => `${kind}: ${code} → ${becomes}`);

describe('the guards of the sources', () => {
  it.each(Object.entries(KNOWN))('has %s guards: at least %i', (kind, least) => {
    expect(guards.filter((guard) => guard.kind === kind).length).toBeGreaterThanOrEqual(least);
  });

  it('have different ids', () => {
    expect(new Set(guards.map(({ id }) => id)).size).toBe(guards.length);
  });

  it('can all be switched off in code that compiles', async () => {
    for (const [file, text] of switchableSources(sources, guards)) {
      expect(() => parse(file, text)).not.toThrow();
      await expect(transformWithOxc(text, file), file).resolves.toBeDefined();
    }
  });

  it('leave every line where it was', () => {
    for (const [file, text] of switchableSources(sources, guards))
      expect(text.split('\n').length, file).toBe(sources.get(file)?.split('\n').length);
  });
});

describe('the rules', () => {
  it('find a permission, an owner and what is public', () => {
    const text = `export async function place(ctx, id) {
      authorize(ctx, maySee);
      return ctx.db.q().selectFrom('properties').where('agent_id', '=', ctx.actor.agentId)
        .where('deleted_at', 'is', null).where('id', '=', id).execute();
    }`;
    expect(found('features/things/reads.ts', text)).toEqual([
      'authorize: authorize(ctx, maySee); → nothing',
      "visibility: where('deleted_at', 'is', null) → no such condition",
      "ownership: where('agent_id', '=', ctx.actor.agentId) → no such condition",
    ]);
  });

  it('refuse everybody where a permission lets everybody', () => {
    const rules = 'export const maySee = anyone;';
    const reads = 'authorize(ctx, maySee);';
    const both = findGuards(
      new Map([
        ['features/things/reads.ts', reads],
        ['features/things/rules.ts', rules],
      ]),
    );
    expect(both.map(({ code, becomes }) => [code, becomes])).toEqual([['maySee', '() => false']]);
  });

  it('find each reason of a refusal, but not what only keeps the code from failing', () => {
    const text = `export function take(ctx, row) {
      if (!row || row.gone || !isUuid(row.id)) throw new NotFound();
      if (row.taken) return { ok: false, reason: 'taken' };
      if (row.broken) throw new Error('impossible');
      return row.id;
    }`;
    expect(found('features/things/commands/take.ts', text)).toEqual([
      'refusal: row.gone → false',
      'refusal: row.taken → false',
    ]);
  });

  it('pass over what only locks', () => {
    const locked = "selectFrom('agents').select('id').where('user_id', '=', user.id).forUpdate()";
    expect(found('features/things/commands/take.ts', `await q.${locked}.execute();`)).toEqual([]);
    expect(found('features/things/commands/take.ts', `const row = await q.${locked}.execute();`)).toEqual([
      "ownership: where('user_id', '=', user.id) → no such condition",
    ]);
  });

  it('find owners in the text of a query', () => {
    const text = 'const own = sql`select from t where t.user_id = ${user.id} and t.deleted_at is null`;';
    expect(found('features/things/reads.ts', text)).toEqual([
      'ownership: t.user_id = ${user.id} → true',
      'visibility: t.deleted_at is null → true',
    ]);
  });

  it('take the type of an owner in the text of a query with them', () => {
    const text = 'const own = sql`select from t where t.user_id = ${user.id}::uuid`;';
    expect(found('features/things/reads.ts', text)).toEqual([
      'ownership: t.user_id = ${user.id}::uuid → true',
    ]);
  });

  it('find the guards of a transition and who may ask for it', () => {
    const text = "const rows = [{ event: 'pay', by: ['buyer', 'seller'], guards: ['notFrozen'] }];";
    expect(found('features/things/transitions.ts', text)).toEqual([
      "transition: 'notFrozen' → nothing",
      "transition:  → … and 'admin'",
    ]);
  });

  it('hand a transition of a listing to each other party', () => {
    expect(found('features/things/transitions.ts', "const row = { event: 'sell', by: 'sale' };")).toEqual([
      "transition: 'sale' → 'seller'",
      "transition: 'sale' → 'admin'",
    ]);
  });
});

describe('a module that is loaded already', () => {
  afterEach(() => {
    globalThis.guardIsOff = undefined;
  });

  it.each([
    ['guards', "export const row = { guards: ['free', 'paid'] };", ['free', 'paid'], ['paid']],
    ['by', "export const row = { by: ['buyer'] };", ['buyer'], ['buyer', 'seller']],
    ['by', "export const row = { by: 'sale' };", 'sale', 'seller'],
  ])('has a table whose %s follow: %s', async (name, text, on, off) => {
    const { row } = await load('features/things/transitions.ts', text);
    expect(row[name]).toEqual(on);
    globalThis.guardIsOff = (id) => id.endsWith('#transition-1');
    expect(row[name]).toEqual(off);
  });

  it('has permissions that follow', async () => {
    const text =
      "const hasRole = (role) => (actor) => actor.role === role; export const maySee = hasRole('admin');";
    const { maySee } = await load('features/things/rules.ts', text);
    const buyer = { kind: 'user', role: 'buyer' };
    expect(maySee(buyer)).toBe(false);
    globalThis.guardIsOff = (id) => id.endsWith('#permission-1');
    expect(maySee(buyer)).toBe(true);
  });
});

/** The module of one file with its guards switchable. */
async function load(file: string, text: string) {
  const sources = new Map([[file, text]]);
  const switchable = switchableSources(sources, findGuards(sources)).get(file) ?? '';
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(switchable)}`);
}
