import { randomUUID } from 'node:crypto';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { testConfig, testContext } from '../fixtures/context.ts';
import { linkIn, waitForMail } from './mailbox.ts';
import { expect, type Scenario } from './scenario.ts';

export const INVITED_NAME = 'Ines Calloway';
export const uniqueInviteEmail = () => `invited-${randomUUID().slice(0, 8)}@example.test`;

/** Invites a seller while the server runs, as the command-line tool does; returns the path of the mailed link. */
export async function invite({ url, dataDir, db }: Scenario, email = uniqueInviteEmail()): Promise<string> {
  const config = { ...testConfig, publicUrl: url };
  const actor = { kind: 'system', name: 'invitation' } as const;
  const ctx = testContext(db, { actor, config, now: () => new Date() });
  const invited = await inviteSeller(ctx, { name: INVITED_NAME, email });
  if (!invited.ok) throw new Error(invited.reason);
  const link = linkIn(await waitForMail(dataDir, email, 'Your invitation to sell'), '/agent/register');
  expect(invited.link).toBe(url + link);
  return link;
}
