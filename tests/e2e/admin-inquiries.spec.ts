import type { Page } from '@playwright/test';
import { HOUR } from '#platform/durations.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createConversation } from '#tests/support/browser/conversations.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

const BUYER = 'buyer@acre.test';
const table = (page: Page) => page.getByRole('table', { name: 'Property Inquiries' });
const rowOf = (page: Page, address: string) => table(page).getByRole('row').filter({ hasText: address });
const addresses = (page: Page) => table(page).locator('tbody tr b').allTextContents();

/** A conversation in each of the four states, found by the name of their street. */
async function conversations(scenario: Scenario, street: string): Promise<void> {
  const about = async (house: number, messages: readonly string[]) => {
    const propertyId = await scenario.createListing({ address: `${house} ${street}` });
    await createConversation(scenario, propertyId, BUYER, messages);
    return propertyId;
  };
  await about(1, ['Is the roof new?']);
  await about(2, ['Is the roof new?', '*It is from 2019.']);
  await about(3, ['Is the roof new?', '*It is from 2019.', 'Thank you.']);
  // Its seller has replied; then another one took the listing over, and somebody of the office wrote.
  const { db } = scenario;
  const former = await createUser(db, 'agent');
  const buyer = await createUser(db, 'buyer');
  const property_id = await createListing(db, former.agentId, { address: `4 ${street}` });
  const asked = new Date(Date.now() - 5 * HOUR);
  const { id } = await db
    .q()
    .insertInto('property_inquiries')
    .values({ property_id, user_id: buyer.id, message: 'Is the roof new?', created_at: asked })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: office } = await createUser(db, 'admin');
  for (const [sender_id, hours] of [
    [former.id, 3],
    [office, 1],
  ] as const)
    await db
      .q()
      .insertInto('inquiry_messages')
      .values({
        inquiry_id: id,
        sender_id,
        message: 'It is from 2019.',
        created_at: new Date(Date.now() - hours * HOUR),
      })
      .execute();
}

test.describe('the inquiries of the marketplace', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('each with where it stands and how long its seller took, found, sorted and opened by keyboard', async ({
    page,
    scenario,
  }) => {
    await conversations(scenario, 'Oversight Row');
    await open(page, '/admin/inquiries');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Property Inquiries');
    await expect(page.getByText('Monitor communications between buyers and sellers')).toBeVisible();
    await expect(table(page).getByRole('columnheader')).toHaveText([
      'Property',
      'Seller',
      'Initial Message',
      'Response Time',
      'Status',
      'Date',
      'Actions',
    ]);
    await expectAccessible(page, 'admin-inquiries');

    await page.getByRole('searchbox', { name: 'Search by address, seller or buyer' }).fill('oversight row');
    await page.keyboard.press('Enter');
    await expect(table(page).locator('tbody tr')).toHaveCount(4);
    for (const [house, status, response] of [
      [1, 'Pending', 'No response yet'],
      [2, 'Seller Replied', 'Responded in 1 minute'],
      [3, 'Buyer Reply', 'Responded in 1 minute'],
      [4, 'Agent Replied', 'Responded in 2 hours'],
    ] as const) {
      await expect(rowOf(page, `${house} Oversight Row`)).toContainText(status);
      await expect(rowOf(page, `${house} Oversight Row`)).toContainText(response);
      await expect(rowOf(page, `${house} Oversight Row`)).toContainText('Is the roof new?');
    }
    await expectAccessible(page, 'admin-inquiries-found');

    for (const name of ['Property', 'Seller', 'Response Time', 'Status', 'Date']) {
      const header = table(page).getByRole('columnheader', { name });
      for (const order of ['ascending', 'descending', 'none']) {
        await header.getByRole('button').press('Enter');
        await expect(header).toHaveAttribute('aria-sort', order);
      }
    }
    const property = table(page).getByRole('columnheader', { name: 'Property' });
    const houses = [1, 2, 3, 4].map((house) => `${house} Oversight Row`);
    await property.getByRole('button').press('Enter');
    await expect(property).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(() => addresses(page)).toEqual(houses);
    await property.getByRole('button').press('Enter');
    await expect(property).toHaveAttribute('aria-sort', 'descending');
    await expect.poll(() => addresses(page)).toEqual(houses.toReversed());
    const response = table(page).getByRole('columnheader', { name: 'Response Time' });
    await response.getByRole('button').press('Enter');
    await expect(page).toHaveURL(/sort=response/);
    // Those without a response come last.
    await expect.poll(async () => (await addresses(page)).slice(2)).toEqual([houses[3], houses[0]]);

    await page.getByRole('link', { name: 'View Messages: 3 Oversight Row' }).press('Enter');
    const history = page.getByRole('dialog', { name: 'Message History' });
    await expect(history).toContainText('Thank you.');
    await page.keyboard.press('Escape');
    await expect(history).toBeHidden();
    await expect(page).toHaveURL(/q=oversight.row&sort=response/);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No inquiries match your search.')).toBeVisible();
  });

  test('still listed when their states cannot be computed', async ({ page, scenario }) => {
    await conversations(scenario, 'Unknown State Way');
    const { pool } = scenario.db;
    await pool.query('alter view inquiry_states rename to inquiry_states_away');
    try {
      await open(page, '/admin/inquiries?q=unknown+state');
      await expect(table(page).locator('tbody tr')).toHaveCount(4);
      for (const house of [1, 2, 3, 4]) {
        const row = rowOf(page, `${house} Unknown State Way`);
        await expect(row.getByText('Error', { exact: true })).toBeVisible();
        await expect(row.getByText('Error calculating response time')).toBeVisible();
      }
      await expectAccessible(page, 'admin-inquiries-unknown');
    } finally {
      await pool.query('alter view inquiry_states_away rename to inquiry_states');
    }
  });
});
