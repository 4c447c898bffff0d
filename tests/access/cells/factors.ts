import { expect } from 'vitest';
import { addAuthenticator } from '#features/factors/commands/add-authenticator.ts';
import { addPasskey } from '#features/factors/commands/add-passkey.ts';
import { removePasskey, renamePasskey } from '#features/factors/commands/change-passkey.ts';
import { proveIdentity } from '#features/factors/commands/prove-identity.ts';
import { removeAuthenticator } from '#features/factors/commands/remove-authenticator.ts';
import { renewRecoveryCodes } from '#features/factors/commands/renew-recovery-codes.ts';
import { resetFactors } from '#features/factors/commands/reset-factors.ts';
import {
  authenticatorAgain,
  newAuthenticator,
  ownFactors,
  passkeyToAdd,
  proofChoices,
} from '#features/factors/reads.ts';
import { codeAt, stepAt } from '#platform/auth/factors/totp.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { softPasskey } from '#tests/support/fixtures/passkey.ts';
import { giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { givePassword } from '../support/credentials.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId, HEAD, systemOnlyRows } from '../support/table-rows.ts';

/** Whoever acts, or buyer A for a visitor. */
const ownerOf = ({ scenario, actor }: Cell) =>
  actor === 'anonymous' ? scenario.cast.buyerA : scenario.person(actor);

const everybodyTheirOwn = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated${`  ${outcome}`.repeat(6)}`;

/** The same where a fresh proof is asked for. */
const PROVED_HEAD = `${HEAD}  unproven`;
const everybodyProved = (row: string, outcome = 'allowed', admin = outcome) =>
  `${row}  Unauthenticated${`  ${outcome}`.repeat(5)}  ${admin}  ProofRequired`;

/** A passkey of somebody, in the database alone. */
async function storedPasskey({ db }: Scenario, userId: string): Promise<string> {
  const { id } = await db
    .q()
    .insertInto('passkeys')
    .values({
      user_id: userId,
      credential_id: crypto.randomUUID(),
      public_key: Buffer.from('x'),
      counter: 0,
      name: 'Mine',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The app of whoever acts, and of nobody else; administrators have a passkey besides, as they keep a factor. */
async function withAuthenticator(cell: Cell): Promise<void> {
  const { db, cast } = cell.scenario;
  await db.q().deleteFrom('passkeys').execute();
  await giveAuthenticator(db, ownerOf(cell).id);
  await storedPasskey(cell.scenario, cast.admin.id);
}

async function withoutFactors(cell: Cell) {
  const { scenario, actor } = cell;
  await scenario.db.q().deleteFrom('authenticators').where('user_id', '=', ownerOf(cell).id).execute();
  await scenario.db.q().deleteFrom('rate_limits').execute();
  return scenario.ctx(actor === 'anonymous' ? 'buyerA' : actor);
}

export const cells: Cells = {
  'reads#ownFactors': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
    `,
    prepare: withAuthenticator,
    act: (ctx) => ownFactors(ctx),
  }),

  'reads#newAuthenticator': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
    `,
    act: (ctx) => newAuthenticator(ctx),
    mayChange: () => false,
  }),

  'reads#authenticatorAgain': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own', 'shown')}
      ${everybodyTheirOwn('another’s', 'none')}
    `,
    async prepare({ scenario, actor, row }) {
      const other = actor === 'buyerB' ? 'buyerA' : 'buyerB';
      const own = actor === 'anonymous' ? 'buyerA' : actor;
      return (await newAuthenticator(scenario.ctx(row === 'another’s' ? other : own))).setUp;
    },
    act: (ctx, setUp) => authenticatorAgain(ctx, setUp),
    outcomeOf: (again) => (again ? 'shown' : 'none'),
    mayChange: () => false,
  }),

  'reads#passkeyToAdd': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
    `,
    act: (ctx) => passkeyToAdd(ctx),
    mayChange: () => false,
  }),

  'commands/add-authenticator#addAuthenticator': operation({
    cells: `
      ${PROVED_HEAD}
      ${everybodyProved('right code')}
      ${everybodyProved('wrong code', 'refused')}
    `,
    async prepare(cell) {
      const { setUp, secret } = await newAuthenticator(await withoutFactors(cell));
      const code = codeAt(secret.replaceAll(' ', ''), stepAt(new Date()));
      return { setUp, code: cell.row === 'right code' ? code : 'abcdef' };
    },
    act: (ctx, input) => addAuthenticator(ctx, input),
  }),

  'commands/remove-authenticator#removeAuthenticator': operation({
    cells: `
      ${PROVED_HEAD}
      ${everybodyProved('one’s own')}
      ${everybodyProved('the only factor', 'allowed', 'last_factor')}
    `,
    async prepare(cell) {
      await withAuthenticator(cell);
      if (cell.row === 'the only factor') await cell.scenario.db.q().deleteFrom('passkeys').execute();
    },
    act: (ctx) => removeAuthenticator(ctx),
  }),

  'commands/add-passkey#addPasskey': operation({
    cells: `
      ${PROVED_HEAD}
      ${everybodyProved('one’s own')}
      ${everybodyProved('made up', 'refused')}
    `,
    async prepare(cell) {
      const request = await passkeyToAdd(await withoutFactors(cell));
      return cell.row === 'made up' ? '{}' : softPasskey().make(request);
    },
    act: (ctx, passkey) => addPasskey(ctx, { passkey, name: 'Mine' }),
  }),

  'commands/change-passkey#renamePasskey': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own', 'renamed')}
      ${everybodyTheirOwn('another’s', 'none')}
      ${everybodyTheirOwn('unknown id', 'none')}
      ${everybodyTheirOwn('no id at all', 'none')}
    `,
    prepare: passkeyOfRow,
    act: (ctx, passkeyId) => renamePasskey(ctx, { passkeyId, name: 'Another' }),
    outcomeOf: (found) => (found ? 'renamed' : 'none'),
    mayChange: (outcome) => outcome === 'renamed',
  }),

  'commands/change-passkey#removePasskey': operation({
    cells: `
      ${PROVED_HEAD}
      ${everybodyProved('one’s own')}
      ${everybodyProved('another’s', 'gone')}
      ${everybodyProved('unknown id', 'gone')}
      ${everybodyProved('no id at all', 'gone')}
    `,
    prepare: passkeyOfRow,
    act: (ctx, passkeyId) => removePasskey(ctx, { passkeyId }),
  }),

  'commands/renew-recovery-codes#renewRecoveryCodes': operation({
    cells: `
      ${PROVED_HEAD}
      ${everybodyProved('one’s own')}
    `,
    prepare: withAuthenticator,
    act: (ctx) => renewRecoveryCodes(ctx),
    async verify(_, __, { scenario, outcome }) {
      const owners = await scenario.db
        .q()
        .selectFrom('recovery_codes')
        .select('user_id')
        .distinct()
        .execute();
      if (outcome === 'allowed') expect(owners).toHaveLength(1);
      await scenario.db.q().deleteFrom('recovery_codes').execute();
    },
  }),

  'commands/reset-factors#resetFactors': operation({
    cells: systemOnlyRows('buyer A’s'),
    act: (ctx, _, { scenario }) => resetFactors(ctx, { email: scenario.cast.buyerA.email }),
  }),

  'reads#proofChoices': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
    `,
    act: (ctx) => proofChoices(ctx),
  }),

  // Whose session it is decides: nobody proves anything for somebody else.
  'commands/prove-identity#proveIdentity': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
      ${everybodyTheirOwn('wrong password', 'invalid')}
      ${everybodyTheirOwn('another’s session', 'invalid')}
    `,
    async prepare(cell) {
      const { scenario, actor, row } = cell;
      const owner = ownerOf(cell);
      const other = actor === 'buyerB' ? scenario.cast.buyerA : scenario.cast.buyerB;
      await givePassword(scenario, owner);
      await scenario.db.q().deleteFrom('rate_limits').execute();
      return scenario.session(row === 'another’s session' ? other : owner, { proved_at: null });
    },
    act: (ctx, sessionId, { row }) =>
      proveIdentity(ctx, {
        sessionId,
        password: row === 'wrong password' ? 'Not the password 1' : PASSWORD,
        code: '',
        passkey: '',
      }),
    async verify(_, sessionId, { scenario, outcome }) {
      const { proved_at } = await scenario.db
        .q()
        .selectFrom('sessions')
        .select('proved_at')
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow();
      expect(proved_at !== null).toBe(outcome === 'allowed');
    },
  }),
};

async function passkeyOfRow(cell: Cell): Promise<string> {
  const { scenario, row } = cell;
  await giveAuthenticator(scenario.db, scenario.cast.admin.id);
  const owner = ownerOf(cell);
  const { buyerA, buyerB } = scenario.cast;
  const other = owner.id === buyerB.id ? buyerA : buyerB;
  const bad = badId({ row }, '');
  return bad ?? storedPasskey(scenario, row === 'another’s' ? other.id : owner.id);
}
