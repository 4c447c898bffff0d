import { join } from 'node:path';
import { listMails, type OutboxMail, readMail } from '#gateways/mail/outbox-reader.ts';
import { expect } from './base-test.ts';

/** The mails sent to an address so far, newest first. */
export async function mailsTo(dataDir: string, address: string): Promise<OutboxMail[]> {
  const folder = join(dataDir, 'outbox');
  const entries = (await listMails(folder, 1_000)).filter(
    ({ to }) => to === address || to.endsWith(`<${address}>`),
  );
  const mails = await Promise.all(entries.map(({ name }) => readMail(folder, name)));
  return mails.filter((mail) => mail !== null);
}

/** Waits for a mail with this subject to an address. */
export async function waitForMail(dataDir: string, address: string, subject: string): Promise<OutboxMail> {
  const found: OutboxMail[] = [];
  await expect
    .poll(async () => {
      found.push(...(await mailsTo(dataDir, address)).filter((mail) => mail.subject === subject));
      return found.length;
    }, `a mail '${subject}' to ${address}`)
    .toBeGreaterThan(0);
  const [mail] = found;
  if (!mail) throw new Error(`There is no mail '${subject}' to ${address}`);
  return mail;
}

/** The path and query of the link in a mail whose path is `path`. @throws Error when there is none */
export function linkIn({ text }: Pick<OutboxMail, 'text'>, path: string): string {
  const link = text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`The mail has no link to ${path}:\n${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
