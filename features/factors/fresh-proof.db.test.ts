import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readProof } from '#app/actions/fresh-proof.ts';
import { runAction } from '#app/actions/run-action.ts';
import { type RequestScope, requestScope } from '#app/request.ts';
import { ProofRequired, requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { BadRequest, TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { contextForCookie, createAccount, PASSWORD, signInCookie } from '#tests/support/fixtures/accounts.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { proveIdentity } from './commands/prove-identity.ts';
import { PROOF, type ProofRequest } from './model.ts';

await describeOnDatabase('a fresh proof', (open) => {
  let db: Database;
  let ctx: Ctx;
  let sessionId: string | null;
  beforeAll(async () => {
    db = await open();
    await createAccount(db, 'ann@acre.test');
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    ({ ctx, sessionId } = await contextForCookie(db, await signInCookie(db, 'ann@acre.test')));
  });
  const later = (minutes: number): Ctx => {
    const provedAt = ctx.actor.kind === 'user' ? ctx.actor.provedAt : null;
    if (!provedAt) throw new Error('The sign-in is no proof');
    const now = new Date(provedAt.getTime() + minutes * MINUTE);
    return { ...ctx, now: () => now };
  };

  it('is the sign-in for ten minutes', () => {
    requireFreshProof(ctx);
    requireFreshProof(later(9.9));
    expect(() => requireFreshProof(later(10.1))).toThrow(ProofRequired);
  });

  it('is asked of nobody in the demo, nor of the command line', () => {
    requireFreshProof({ ...later(60), config: { ...testConfig, demo: true } });
    requireFreshProof(testContext(db, { actor: { kind: 'system', name: 'a job' } }));
    expect(() => requireFreshProof(testContext(db))).toThrow(ProofRequired);
  });

  it('is the password entered again, for this session alone', async () => {
    const other = await contextForCookie(db, await signInCookie(db, 'ann@acre.test'));
    await db.q().updateTable('sessions').set({ proved_at: null }).execute();
    const none = { code: '', passkey: '' };
    expect(await proveIdentity(ctx, { sessionId, password: 'Not the password 1', ...none })).toEqual({
      ok: false,
      errors: { password: 'The password is incorrect' },
    });
    expect(await proveIdentity(ctx, { sessionId, password: PASSWORD, ...none })).toMatchObject({ ok: true });
    const rows = await db.q().selectFrom('sessions').select(['id', 'proved_at']).execute();
    const proved = rows.filter(({ proved_at }) => proved_at !== null).map(({ id }) => id);
    expect(proved).toEqual([sessionId]);
    // Nor does the proof of one person count for the session of another.
    const stranger = testContext(db, { actor: await createUser(db, 'buyer'), now: ctx.now });
    const foreign = { sessionId: other.sessionId, password: PASSWORD, ...none };
    expect(await proveIdentity(stranger, foreign)).toMatchObject({ ok: false });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['entity_id', 'after'])
      .where('action', '=', 'session.prove')
      .execute();
    expect(audited).toEqual([{ entity_id: sessionId, after: { by: 'password' } }]);
  });

  it('cannot be tried without end', async () => {
    const frozen = later(1);
    const attempt = () => proveIdentity(frozen, { sessionId, password: 'Wrong 1', code: '', passkey: '' });
    for (let count = 0; count < 5; count += 1) expect(await attempt()).toMatchObject({ ok: false });
    await expect(attempt()).rejects.toThrow(TooManyRequests);
    await db.q().deleteFrom('rate_limits').execute();
  });

  const scopeOf = (acting: Ctx) => ({ ctx: acting, sessionId }) as unknown as RequestScope;
  const send = async (acting: Ctx, fields: Record<string, string>) => {
    const context = new RouterContextProvider();
    context.set(requestScope, scopeOf(acting));
    const request = new Request('http://localhost/admin/fees.data?page=2&_routes=x', {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    const saved: string[] = [];
    const answer = await runAction(
      { request, context },
      {
        intents: {
          save: async (submission) => {
            requireFreshProof(submission.ctx);
            saved.push(submission.text('fee'), submission.scope.ctx === submission.ctx ? 'same' : 'other');
            return { ok: true };
          },
        },
        preserve: ['fee'],
      },
    );
    if (answer instanceof Response) throw new Error('redirected');
    return { saved, status: answer.init?.status, ...answer.data, proof: answer.data.proof as ProofRequest };
  };

  it('is asked for by a form, which is then repeated as it was', async () => {
    const stale = later(11);
    const refused = await send(stale, { intent: 'save', fee: '12.50', secret: 'do not show' });
    expect(refused).toMatchObject({
      saved: [],
      status: 403,
      ok: false,
      intent: 'save',
      input: { fee: '12.50' },
      proof: { action: '/admin/fees?page=2', choices: { code: false, passkey: null } },
    });
    expect(JSON.stringify(refused)).not.toContain('do not show');
    const { form } = refused.proof;
    const wrong = await send(stale, { [PROOF.form]: form, [PROOF.password]: 'Not 1 of them' });
    expect(wrong).toMatchObject({ saved: [], status: 403, input: { fee: '12.50' } });
    expect(wrong.proof.errors).toEqual({ password: 'The password is incorrect' });
    const blank = await send(stale, { [PROOF.form]: wrong.proof.form, [PROOF.password]: '' });
    expect(blank.proof.errors).toEqual({ password: 'Enter your password, or use another way below.' });
    const right = await send(stale, { [PROOF.form]: blank.proof.form, [PROOF.password]: PASSWORD });
    expect(right).toMatchObject({ saved: ['12.50', 'same'], status: 200, ok: true, intent: 'save' });
    expect(right.proof).toBeUndefined();
  });

  it('says when too many were tried, with the form still to be repeated', async () => {
    const stale = later(11);
    const { proof } = await send(stale, { intent: 'save', fee: '1' });
    const fields = { [PROOF.form]: proof.form, [PROOF.password]: 'Not 1 of them' };
    for (let count = 0; count < 5; count += 1) expect((await send(stale, fields)).status).toBe(403);
    const limited = await send(stale, fields);
    expect(limited).toMatchObject({ saved: [], status: 429 });
    expect(limited.proof.errors?.password).toMatch(/^Too many attempts/);
    await db.q().deleteFrom('rate_limits').execute();
  });

  it('repeats no form of another session, and none that somebody made up', async () => {
    const { proof } = await send(later(11), { intent: 'save', fee: '1' });
    const sent = new FormData();
    sent.set(PROOF.form, proof.form);
    sent.set(PROOF.password, PASSWORD);
    const elsewhere = { ctx, sessionId: crypto.randomUUID() } as unknown as RequestScope;
    await expect(readProof(sent, elsewhere)).rejects.toThrow(BadRequest);
    sent.set(PROOF.form, 'made up');
    await expect(readProof(sent, scopeOf(ctx))).rejects.toThrow(BadRequest);
  });
});
