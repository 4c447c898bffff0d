import { signIn } from '#features/accounts/commands/sign-in.ts';
import { signUp } from '#features/accounts/commands/sign-up.ts';
import { verifyEmail } from '#features/accounts/commands/verify-email.ts';
import type { Door } from '#features/accounts/rules.ts';
import { actorOf } from '#platform/auth/session.ts';
import type { Ctx, Role } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testContext } from './context.ts';

export const PASSWORD = 'Plumb-Line 77 brass';

/** The mails queued for an address, oldest first, each with the token of its link. */
export async function mailbox(db: Database, address: string) {
  const rows = await db
    .q()
    .selectFrom('mail_outbox')
    .select(['subject', 'text_body', 'html_body'])
    .where('to_address', '=', address)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    token: decodeURIComponent(/[?&]token=([^\s"&]+)/.exec(row.text_body)?.[1] ?? ''),
  }));
}

let requests = 0;

/** A visitor's context with an address and a request of its own, on the test's real or faked clock. */
export function freshVisitor(db: Database, choices: Partial<Ctx> = {}): Ctx {
  requests += 1;
  return testContext(db, {
    requestId: `request-${requests}`,
    ip: `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
    now: () => new Date(),
    ...choices,
  });
}

/** Signs up through the public commands and confirms the address; another role is then given by the database alone. */
export async function openAccount(db: Database, email: string, role: Role = 'buyer'): Promise<string> {
  const result = await signUp(freshVisitor(db), { email, password: PASSWORD, userAgent: null });
  const token = (await mailbox(db, email)).at(-1)?.token ?? '';
  const confirmed = await verifyEmail(freshVisitor(db), { token });
  if (!result.ok || !confirmed.ok) throw new Error(`No account could be opened for ${email}`);
  const { id } = await db
    .q()
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  await db.q().updateTable('profiles').set({ role }).where('id', '=', id).execute();
  if (role === 'agent') {
    await db
      .q()
      .insertInto('agents')
      .values({ user_id: id, name: 'A Seller', email, registered_at: new Date() })
      .execute();
  }
  return id;
}

/** Signs in and answers with the Cookie header that the browser sends from then on. */
export async function cookieOf(
  db: Database,
  email: string,
  door: Door = 'buyer',
  password = PASSWORD,
): Promise<string> {
  const result = await signIn(freshVisitor(db), {
    door,
    email,
    password,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
    currentSessionId: null,
  });
  if (!result.ok) throw new Error(`${email} could not sign in: ${result.reason}`);
  return result.cookies[0]?.split(';')[0] ?? '';
}

/** The context of the request that carries a Cookie header, and the id of its session. */
export async function contextOf(
  db: Database,
  cookie: string,
): Promise<{ ctx: Ctx; sessionId: string | null }> {
  const ctx = freshVisitor(db);
  const request = new Request('http://localhost:3000/', { headers: { cookie } });
  const { actor, sessionId } = await actorOf(ctx, request);
  return { ctx: { ...ctx, actor }, sessionId };
}
