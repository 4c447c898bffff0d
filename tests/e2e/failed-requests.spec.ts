import type { Locator, Page } from '@playwright/test';
import { unsubscribeToken } from '#features/notifications/unsubscribe-token.ts';
import { createConfirmedAccount, PASSWORD, signIn, uniqueEmail } from '#tests/support/browser/accounts.ts';
import { createConversation } from '#tests/support/browser/conversations.ts';
import { invite } from '#tests/support/browser/invitation.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const NOT_SAVED = 'This was not saved. Please try again.';
const NOT_DONE = 'That could not be done. Please try again.';
const SELLER = 'seller@acre.test';
const ADMIN = 'admin@acre.test';
const OTHER_SELLER = 'hedda.krause@example.test';

interface Router {
  state: { navigation: { state: string }; fetchers: Map<string, { state: string }> };
}

interface Sent {
  send: Locator;
  /** what is said when it cannot be sent */
  says: string | RegExp;
  /** fields and what is typed into them */
  typed?: readonly (readonly [field: Locator, text: string])[];
}

/** Fills in a form and sends it three times: without a connection, to a server that fails, and as it should be. */
async function sendThreeTimes(page: Page, { send, says, typed = [] }: Sent): Promise<void> {
  for (const [field, text] of typed) await field.fill(text);
  const requests = '**/*.data*';
  const isStill = async () => {
    await expect(send).not.toHaveAttribute('aria-busy', 'true');
    await expect(page.getByText(says).first()).toBeVisible();
    for (const [field, text] of typed) await expect(field).toHaveValue(text);
  };
  await page.route(requests, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await send.click();
  await isStill();
  await page.unroute(requests);
  await page.route(requests, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.continue(),
  );
  // The first failure's text may still show: only the router tells when the second try has failed too.
  const failed = page.waitForResponse((response) => response.status() === 500);
  await send.click();
  await failed;
  await page.waitForFunction(() => {
    const { state } = (window as unknown as { __reactRouterDataRouter: Router }).__reactRouterDataRouter;
    return (
      state.navigation.state === 'idle' && [...state.fetchers.values()].every((one) => one.state === 'idle')
    );
  });
  await isStill();
  await page.unroute(requests);
  await send.click();
}

test.describe('a form that cannot be sent keeps what was typed, says so and can be sent again', () => {
  test.beforeEach(async ({ expectConsole, scenario }) => {
    expectConsole(500, /ERR_FAILED/);
    await scenario.db.q().deleteFrom('rate_limits').execute();
  });

  test('the report of a listing', async ({ page, scenario }) => {
    const id = await scenario.createListing({ address: '41 Broken Wire Road' });
    await open(page, `/property/${id}/report`);
    const reason = page.getByLabel('The facts or photos are wrong');
    await reason.check();
    await sendThreeTimes(page, {
      send: page.getByRole('button', { name: 'Send the report' }),
      says: 'The report could not be sent. Please try again.',
      typed: [[page.getByLabel('Details'), 'The road ends before it.']],
    });
    await expect(page.getByText('Your report was sent to the administrators.')).toBeVisible();
  });

  test('signing up', async ({ page }) => {
    await open(page, '/buyer/signup');
    await sendThreeTimes(page, {
      send: page.getByRole('button', { name: 'Sign up' }),
      says: 'An unexpected error occurred.',
      typed: [
        [page.getByLabel('Email'), uniqueEmail()],
        [page.getByLabel('Password', { exact: true }), PASSWORD],
      ],
    });
    await expect(toastOf(page, 'Please check your email to verify your account.')).toBeVisible();
  });

  for (const [path, home] of [
    ['/buyer/login', '/'],
    ['/agent/login', '/agent/dashboard'],
    ['/admin', '/admin/dashboard'],
  ] as const)
    test(`signing in at ${path}`, async ({ page }) => {
      await open(page, path);
      await page.getByLabel('Password', { exact: true }).fill('not the right one');
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Sign In' }),
        says: 'Login failed',
        typed: [[page.getByLabel('Email'), 'nobody@example.test']],
      });
      await expect(page.getByText('Invalid email or password').first()).toBeVisible();
      await expect(page).not.toHaveURL(home);
    });

  test('the registration of a seller', async ({ page, scenario }) => {
    await open(page, await invite(scenario));
    await sendThreeTimes(page, {
      send: page.getByRole('button', { name: 'Complete Registration' }),
      says: 'Registration failed',
      typed: [
        [page.getByLabel('Password', { exact: true }), PASSWORD],
        [page.getByLabel('Confirm Password'), PASSWORD],
      ],
    });
    await expect(page).toHaveURL('/agent/dashboard');
  });

  test.describe('of a buyer', () => {
    let email: string;
    test.beforeEach(async ({ page, scenario }) => {
      email = await createConfirmedAccount({ origin: scenario.url, dataDir: scenario.dataDir });
      await open(page, '/buyer/login');
      await signIn(page, email);
      await expect(page).toHaveURL('/');
    });

    test('the name in the account', async ({ page }) => {
      await open(page, '/account');
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Save name' }),
        says: 'An unexpected error occurred. Please try again.',
        typed: [[page.getByLabel('Name', { exact: true }), 'Renamed Later']],
      });
      await expect(toastOf(page, 'Name changed')).toBeVisible();
    });

    test('a saved search', async ({ page }) => {
      await open(page, '/properties?q=broken+wire');
      await page.getByRole('link', { name: 'Save this search' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save this search' });
      await sendThreeTimes(page, {
        send: dialog.getByRole('button', { name: 'Save search' }),
        says: NOT_SAVED,
        typed: [[dialog.getByLabel('Name'), 'Wires']],
      });
      await expect(toastOf(page, 'Search saved')).toBeVisible();
    });

    test('the confirmation of a notice', async ({ page, scenario }) => {
      const message = 'The wire is broken.';
      await scenario.db.pool.query(
        `insert into user_notices (user_id, message) select id, $1 from users where email = $2`,
        [message, email],
      );
      await open(page, '/buyer/transactions');
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'I have read this' }),
        says: NOT_SAVED,
      });
      await expect(page.getByText(message)).toHaveCount(0);
    });

    test('unsubscribing', async ({ page, scenario }) => {
      const { id } = await scenario.db
        .q()
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      const token = unsubscribeToken({ secret: 'only for this market: '.padEnd(48, 'x') }, id, 'messages');
      await open(page, `/unsubscribe?token=${token}`);
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Unsubscribe' }),
        says: NOT_SAVED,
      });
      await expect(page.getByText(/^You will no longer receive/)).toBeVisible();
    });
  });

  test.describe('of a seller', () => {
    test.beforeEach(({ signInAs }) => signInAs(SELLER, 'agent'));

    test('a quick reply', async ({ page }) => {
      await open(page, '/agent/quick-replies?do=add');
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Save Quick Reply' }),
        says: NOT_SAVED,
        typed: [
          [page.getByRole('dialog').getByLabel('Name'), 'Broken wire'],
          [page.getByRole('dialog').getByLabel('Text'), 'The wire is broken.'],
        ],
      });
      await expect(toastOf(page, 'Quick reply saved')).toBeVisible();
    });

    test('an API key', async ({ page }) => {
      await open(page, '/agent/settings/api-keys');
      await page.getByLabel('Photos').uncheck();
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Create API key' }),
        says: 'The API key could not be saved. Please try again.',
        typed: [
          [page.getByLabel('Name'), 'Broken wire'],
          [page.getByLabel('Requests a minute'), '7'],
        ],
      });
      await expect(toastOf(page, 'API key created')).toBeVisible();
      await expect(
        page.getByRole('row', { name: /Broken wire.*Listings, Sellers and office.*7/ }),
      ).toBeVisible();
    });

    test('the withdrawal of a property, in its dialog', async ({ page, scenario }) => {
      const id = await scenario.createListing({ address: '42 Broken Wire Road' });
      await open(page, `/agent/properties?q=42+Broken&do=withdraw&id=${id}`);
      await sendThreeTimes(page, {
        send: page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }),
        says: NOT_DONE,
      });
      await expect(toastOf(page, 'Property withdrawn')).toBeVisible();
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
    });
  });

  test.describe('of another seller', () => {
    test.beforeEach(({ signInAs }) => signInAs(OTHER_SELLER, 'agent'));

    test('the payment settings', async ({ page }) => {
      await open(page, '/agent/settings');
      await page.getByRole('radio', { name: /PayPal/ }).check();
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Save Payment Settings' }),
        says: 'Failed to update payment settings.',
        typed: [[page.getByRole('textbox', { name: 'PayPal Email' }), uniqueEmail()]],
      });
      await expect(toastOf(page, 'Payment settings updated')).toBeVisible();
    });

    test('duplicating a listing, from its page', async ({ page, scenario }) => {
      const id = await scenario.createListing({ address: '43 Broken Wire Road' }, OTHER_SELLER);
      await open(page, `/property/${id}`);
      await sendThreeTimes(page, {
        send: page.getByRole('button', { name: 'Duplicate as a new draft' }),
        says: NOT_DONE,
      });
      await expect(toastOf(page, 'Property duplicated')).toBeVisible();
    });
  });

  test.describe('of an administrator', () => {
    test.beforeEach(({ signInAs }) => signInAs(ADMIN, 'admin'));

    test('the note of a task', async ({ page }) => {
      await open(page, '/admin/tasks');
      await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click();
      const panel = page.getByRole('complementary').filter({ has: page.getByLabel('Add a note') });
      await sendThreeTimes(page, {
        send: panel.getByRole('button', { name: 'Add note' }),
        says: NOT_SAVED,
        typed: [[panel.getByLabel('Add a note'), 'The wire is broken.']],
      });
      await expect(
        panel.getByRole('listitem').filter({ hasText: 'The wire is broken.' }).first(),
      ).toBeVisible();
    });

    test.describe('of whom no other test tells news', () => {
      test.use({ ownServer: 'task news' });

      test('a task that has had news is not closed unseen, and what was typed stays', async ({
        page,
        scenario,
      }) => {
        const tasks = scenario.db.q();
        const { id } = await tasks
          .selectFrom('admin_tasks')
          .select('id')
          .where('kind', '=', 'problem_overdue')
          .executeTakeFirstOrThrow();
        const change = (detail: string) =>
          tasks
            .updateTable('admin_tasks')
            .set({ detail, closed_at: null, closed_by: null, resolution: null })
            .where('id', '=', id)
            .execute();
        await change('It leaks.');
        await open(page, `/admin/tasks?details=${id}&do=close`);
        const dialog = page.getByRole('dialog', { name: 'Close task' });
        const text = dialog.getByLabel('What was done');
        await text.fill('The seller has repaired it.');
        // No event tells the page.
        await change('It leaks again.');
        await dialog.getByRole('button', { name: 'Close task' }).click();
        await expect(dialog.getByText('There is news about this task')).toBeVisible();
        await expect(dialog.getByText('It leaks again.')).toBeVisible();
        await expect(text).toHaveValue('The seller has repaired it.');
        await dialog.getByRole('button', { name: 'Close task' }).click();
        await expect(toastOf(page, 'Task closed')).toBeVisible();
      });
    });

    test('a property type', async ({ page }) => {
      await open(page, '/admin/property-types?do=add');
      const dialog = page.getByRole('dialog', { name: 'Add Property Type' });
      await dialog.getByLabel('Active').uncheck();
      await sendThreeTimes(page, {
        send: dialog.getByRole('button', { name: 'Add Property Type' }),
        says: 'Failed to save property type. Please try again.',
        typed: [[dialog.getByLabel('Name'), 'Lighthouse']],
      });
      await expect(toastOf(page, 'Property type created successfully')).toBeVisible();
      await expect(page.getByRole('row', { name: /Lighthouse.*Inactive/ })).toBeVisible();
    });

    test('an invitation of an administrator', async ({ page }) => {
      await open(page, '/admin/admins?do=add');
      const dialog = page.getByRole('dialog', { name: 'Add Administrator' });
      await sendThreeTimes(page, {
        send: dialog.getByRole('button', { name: 'Add Admin' }),
        says: 'Failed to add administrator. Please try again.',
        typed: [
          [dialog.getByLabel('Email'), uniqueEmail()],
          [dialog.getByLabel('Password', { exact: true }), PASSWORD],
        ],
      });
      await expect(toastOf(page, 'Admin Added')).toBeVisible();
    });

    test('the decision about a reported conversation', async ({ page, scenario }) => {
      const propertyId = await scenario.createListing({ address: '44 Broken Wire Road' });
      const inquiryId = await createConversation(scenario, propertyId, 'leopold.marsh@example.test', [
        'Hello?',
      ]);
      const { rows } = await scenario.db.pool.query(
        `insert into inquiry_reports (inquiry_id, reported_by, reason)
         select $1, id, 'It is rude.' from users where email = $2 returning id`,
        [inquiryId, SELLER],
      );
      await open(page, `/admin/inquiries?tab=reported&report=${rows[0]?.id}&do=closed`);
      const dialog = page.getByRole('dialog');
      await sendThreeTimes(page, {
        send: dialog.getByRole('button', { name: 'Close report' }),
        says: NOT_SAVED,
        typed: [[dialog.getByLabel('Note'), 'It is only a wire.']],
      });
      await expect(toastOf(page, 'Report closed')).toBeVisible();
    });

    test('the weekly report by email', async ({ page }) => {
      await open(page, '/admin/reports');
      const weekly = page.getByRole('switch', { name: 'Email me a weekly summary' });
      const before = await weekly.getAttribute('aria-checked');
      await sendThreeTimes(page, {
        send: weekly,
        says: 'Your choice could not be saved. Please try again.',
      });
      await expect(toastOf(page, 'Weekly summary')).toBeVisible();
      await expect(weekly).not.toHaveAttribute('aria-checked', before ?? '');
    });
  });
});
