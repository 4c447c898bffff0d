import { randomUUID } from 'node:crypto';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import type { Database } from '#platform/db/database.ts';
import { type AppRequest, SECRET, sameOriginForm } from './test-app.ts';

export const RETURN_PATH = '/agent/settings';
export const REFRESH_PATH = `${RETURN_PATH}?refresh=1`;
const ORIGIN = 'http://localhost:3000';

/** The sandbox as the application opens it, at a time. */
function onboardingAt(db: Database, at: Date) {
  const config = { db, method: 'stripe', secret: SECRET, now: () => at, publicUrl: '' } as const;
  const { onboarding } = createPayoutsSandbox(config);
  if (!onboarding) throw new Error('Stripe has no onboarding');
  return onboarding;
}

/** A new seller's account at the sandbox, and the path of a link to its setup, made at a time. */
export async function newOnboarding(db: Database, at = new Date()): Promise<{ ref: string; path: string }> {
  const onboarding = onboardingAt(db, at);
  const seller = { agentId: randomUUID(), email: 'seller@example.test', name: 'Sandra Seller' };
  const { ref } = await onboarding.create(seller, randomUUID());
  const urls = { returnUrl: ORIGIN + RETURN_PATH, refreshUrl: ORIGIN + REFRESH_PATH };
  return { ref, path: (await onboarding.link(ref, urls)).url };
}

/** The path of a seller's own page at the sandbox, made at a time. */
export const loginLinkOf = async (db: Database, ref: string, at = new Date()): Promise<string> =>
  (await onboardingAt(db, at).loginLink(ref)).url;

/** Requests to the pages of the sandbox about a seller's account that is there: a market without the sandbox has none of them. */
export async function sandboxPayoutRequests(
  db: Database,
): Promise<[path: string, call: AppRequest, status: number][]> {
  const { ref, path } = await newOnboarding(db);
  await decideAccount(db, ref, { active: true }, new Date(), { messages: 'never' });
  return [
    [path, {}, 404],
    [path, sameOriginForm({ intent: 'complete' }), 404],
    [await loginLinkOf(db, ref), {}, 404],
    ['/dev/payouts', sameOriginForm({ intent: 'fund', method: 'paypal', dollars: '1' }), 404],
  ];
}
