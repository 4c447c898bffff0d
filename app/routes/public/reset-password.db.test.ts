import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import { requestPasswordReset } from '#features/accounts/commands/request-password-reset.ts';
import type { Role } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, mailbox, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { loader } from './reset-password.tsx';

await describeOnDatabase('the page of a reset link', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const load = (url: URL, cookie = '') => {
    const context = new RouterContextProvider();
    context.set(requestScope, { ctx: visitorContext(db) } as unknown as RequestScope);
    const request = new Request(url, { headers: { cookie } });
    return loader({ request, url, context } as unknown as Parameters<typeof loader>[0]);
  };

  it.each<[Role, string]>([
    ['buyer', '/buyer/login?forgot=1'],
    ['agent', '/agent/login?forgot=1'],
    ['admin', '/admin?forgot=1'],
  ])('sends the %s whose link is of no use anymore to %s', async (role, forgotPath) => {
    const email = `${role}@reset.test`;
    await createAccount(db, email, role);
    await requestPasswordReset(visitorContext(db), { email });
    const link = /http\S+reset-password\S*/.exec((await mailbox(db, email)).at(-1)?.text ?? '')?.[0] ?? '';
    const moved = await load(new URL(link)).then(
      () => null,
      (redirect: Response) => redirect,
    );
    const here = new URL(moved?.headers.get('location') ?? '', link);
    expect(here.searchParams.has('token')).toBe(false);
    const cookie = moved?.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await load(here, cookie)).toMatchObject({ state: 'ready', forgotPath });
    await db.q().deleteFrom('verifications').execute();
    expect(await load(here, cookie)).toMatchObject({ state: 'refused', forgotPath });
    expect(await load(here)).toMatchObject({ state: 'missing', forgotPath });
  });
});
