import { demoInvitationPath } from '#demo/market/people.ts';
import { DEMO_PASSWORD, demoAccounts } from '#features/accounts/model.ts';
import type { Config } from '#platform/config.ts';

/** What a newcomer reads when the process is ready: where it is, and how to come in. */
export function greeting({ publicUrl, demo }: Pick<Config, 'publicUrl' | 'demo'>): string {
  const lines = ['', `Acre Trading Post is at ${publicUrl}`];
  if (demo) {
    lines.push(
      '',
      `Demo accounts, all with the password ${DEMO_PASSWORD}:`,
      ...demoAccounts.map(({ email, role }) => `  ${email} (${role === 'agent' ? 'seller' : role})`),
      `An invited seller registers at: ${publicUrl}${demoInvitationPath()}`,
      `Mails: ${publicUrl}/dev/mail`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
