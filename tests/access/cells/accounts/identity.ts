import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { lockAccount } from '#features/accounts/account-with-password.ts';
import { changeName } from '#features/accounts/commands/change-name.ts';
import { confirmEmailChange } from '#features/accounts/commands/confirm-email-change.ts';
import { endOtherSessions } from '#features/accounts/commands/end-other-sessions.ts';
import { requestEmailChange } from '#features/accounts/commands/request-email-change.ts';
import { emailChangeToken } from '#features/accounts/email-change-token.ts';
import { mailbox, PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { createUserWithPassword, givePassword, openSessions } from '../../support/credentials.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { sameForAll } from '../../support/table-rows.ts';

const newAddress = () => `new-${randomUUID().slice(0, 12)}@example.test`;

export const cells: Cells = {
  'commands/end-other-sessions#endOtherSessions': operation({
    cells: `
                                   anonymous        buyerA   buyerB   sellerA  sellerB  suspended  admin
      by the own session           Unauthenticated  allowed  allowed  allowed  allowed  allowed    allowed
      by somebody else’s session   Unauthenticated  allowed  allowed  allowed  allowed  allowed    allowed
    `,
    async prepare({ scenario, row, actor }) {
      const owner = actor === 'anonymous' ? scenario.cast.buyerA : scenario.person(actor);
      const other = actor === 'buyerB' ? scenario.cast.buyerA : scenario.cast.buyerB;
      const [here, elsewhere] = [await scenario.session(owner), await scenario.session(owner)];
      const foreign = await scenario.session(other);
      return { here, elsewhere, foreign, current: row === 'by the own session' ? here : foreign };
    },
    act: (ctx, { current }) => endOtherSessions(ctx, { currentSessionId: current }),
    async verify(_, { here, elsewhere, foreign, current }, { scenario, outcome }) {
      const open = await openSessions(scenario);
      expect(open).toContain(foreign);
      expect(open.includes(elsewhere)).toBe(outcome !== 'allowed');
      expect(open.includes(here)).toBe(outcome !== 'allowed' || here === current);
    },
  }),

  'commands/change-name#changeName': operation({
    cells: `
                anonymous        buyerA   buyerB   sellerA    sellerB    suspended  admin
      a name    Unauthenticated  allowed  allowed  Forbidden  Forbidden  Forbidden  allowed
      too short  Unauthenticated  invalid  invalid  Forbidden  Forbidden  Forbidden  invalid
    `,
    act: (ctx, _, { row }) => changeName(ctx, { name: row === 'a name' ? `New ${randomUUID()}` : 'N' }),
    async verify(_, __, { scenario, actor, outcome }) {
      if (actor === 'anonymous') return;
      const { id, name } = scenario.person(actor);
      const { name: stored } = await scenario.db
        .q()
        .selectFrom('users')
        .select('name')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(stored.startsWith('New ')).toBe(outcome === 'allowed');
      await scenario.db.q().updateTable('users').set({ name }).where('id', '=', id).execute();
    },
  }),

  // The result does not tell whether another account has the address.
  'commands/request-email-change#requestEmailChange': operation({
    cells: `
                       anonymous        buyerA   buyerB   sellerA    sellerB    suspended  admin
      new address      Unauthenticated  allowed  allowed  Forbidden  Forbidden  Forbidden  allowed
      seller A’s       Unauthenticated  allowed  allowed  Forbidden  Forbidden  Forbidden  allowed
      wrong password   Unauthenticated  invalid  invalid  Forbidden  Forbidden  Forbidden  invalid
    `,
    async prepare({ scenario, row, actor }) {
      if (actor !== 'anonymous') await givePassword(scenario, scenario.person(actor));
      await scenario.db.q().deleteFrom('rate_limits').execute();
      return row === 'seller A’s' ? scenario.cast.sellerA.email : newAddress();
    },
    act: (ctx, email, { row }) =>
      requestEmailChange(ctx, { email, current: row === 'wrong password' ? 'Not the password 1' : PASSWORD }),
    async verify(_, email, { scenario, row, actor, outcome }) {
      const mails = await mailbox(scenario.db, email);
      if (row !== 'seller A’s') expect(mails).toHaveLength(outcome === 'allowed' ? 1 : 0);
      expect(mails.some(({ token }) => token !== '')).toBe(row === 'new address' && outcome === 'allowed');
      if (actor === 'anonymous') return;
      const { id, email: own } = scenario.person(actor);
      const stored = scenario.db.q().selectFrom('users').select('email').where('id', '=', id);
      expect(await stored.executeTakeFirst()).toEqual({ email: own });
    },
  }),

  'commands/confirm-email-change#confirmEmailChange': operation({
    cells: sameForAll(
      ['mailed token', 'allowed'],
      ['a day later', 'invalid'],
      ['of another password', 'invalid'],
      ['for another account', 'invalid'],
      ['taken meanwhile', 'taken'],
      ['made up', 'invalid'],
    ),
    async prepare({ scenario, row }) {
      const person = await createUserWithPassword(scenario, 'buyer');
      const account = await lockAccount(scenario.ctx('anonymous'), person.id);
      if (!account) throw new Error('There is no account');
      const email = newAddress();
      const { config } = scenario.ctx('anonymous');
      const issued = new Date(Date.now() - (row === 'a day later' ? 86_400_000 : 0));
      const signed = { ...account, ...(row === 'of another password' && { password: 'another hash' }) };
      const token = emailChangeToken(config, signed, email, issued);
      if (row === 'taken meanwhile') {
        const { id } = await createUserWithPassword(scenario, 'buyer');
        await scenario.db.q().updateTable('users').set({ email }).where('id', '=', id).execute();
      }
      if (row !== 'for another account')
        return { person, email, token: row === 'made up' ? 'made.up' : token };
      const other = JSON.stringify({ id: scenario.cast.admin.id, to: email, until: Date.now() + 1e6 });
      const forged = `${Buffer.from(other).toString('base64url')}.${token.split('.')[1]}`;
      return { person, email, token: forged };
    },
    act: (ctx, { token }) => confirmEmailChange({ ...ctx, now: () => new Date() }, { token }),
    async verify(_, { person, email }, { scenario, outcome }) {
      const stored = await scenario.db
        .q()
        .selectFrom('users')
        .select('email')
        .where('id', '=', person.id)
        .executeTakeFirst();
      expect(stored?.email).toBe(outcome === 'allowed' ? email : person.email);
      const notices = await mailbox(scenario.db, person.email);
      expect(notices.map(({ subject }) => subject)).toEqual(
        outcome === 'allowed' ? ['Your email address was changed'] : [],
      );
    },
  }),
};
