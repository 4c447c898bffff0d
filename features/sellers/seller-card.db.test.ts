import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { resendInvitation } from './commands/resend-invitation.ts';
import { SellerCard } from './components/seller-card.tsx';
import { managedSeller } from './reads.ts';

await describeOnDatabase("a seller's card", (open) => {
  let db: Database;
  let admin: Ctx;
  beforeAll(async () => {
    db = await open();
    admin = testContext(db, { actor: await createUser(db, 'admin') });
  });
  afterAll(() => db.close());

  async function textOf(sellerId: string): Promise<string> {
    const seller = await managedSeller(admin, sellerId);
    const element = createElement(SellerCard, {
      seller,
      defaultRate: 80,
      tab: 'details',
      href: () => '/',
      refused: null,
      history: null,
    });
    const router = createMemoryRouter([{ path: '*', element }]);
    return renderToStaticMarkup(createElement(RouterProvider, { router })).replace(/<[^>]+>/g, ' ');
  }

  it('offers what is sent: a password reset, or an invitation while the address is not confirmed', async () => {
    const { id, agentId } = await createUser(db, 'agent');
    const sellerId = String(agentId);
    await db
      .q()
      .updateTable('agents')
      .set({ registered_at: new Date() })
      .where('id', '=', sellerId)
      .execute();
    expect(await textOf(sellerId)).toContain('Send password reset');
    await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', id).execute();
    expect(await textOf(sellerId)).toContain('Resend invitation');
    expect(await textOf(sellerId)).not.toContain('Send password reset');
    expect(await resendInvitation(admin, { sellerId })).toMatchObject({ isPasswordReset: false });
  });

  it('says of an archived seller how many listings have still to be withdrawn', async () => {
    const { agentId } = await createUser(db, 'agent');
    const sellerId = String(agentId);
    await db
      .q()
      .insertInto('properties')
      .values(
        [1, 2].map((n) => ({
          agent_id: sellerId,
          address: `${n} Elm Street`,
          price_cents: 100_00,
          status: 'Active' as const,
        })),
      )
      .execute();
    expect(await textOf(sellerId)).not.toContain('Still to be withdrawn');
    await db.q().updateTable('agents').set({ archived_at: new Date() }).where('id', '=', sellerId).execute();
    expect(await textOf(sellerId)).toMatch(/Still to be withdrawn\s+2\b/);
  });
});
