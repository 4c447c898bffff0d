import { demoInvitationPath } from '#demo/market/people.ts';
import { DEMO_PASSWORD, demoAccounts } from '#features/accounts/model.ts';
import type { Config } from '#platform/config.ts';

/** The text printed when the process is ready: its URL and, in the demo, how to sign in. */
export function startupMessage({ publicUrl, demo }: Pick<Config, 'publicUrl' | 'demo'>): string {
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
