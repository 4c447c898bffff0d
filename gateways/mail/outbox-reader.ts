import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';

/** An entry of the list of written mails. `name` is the file name; `sentAt` is UTC. */
type OutboxEntry = { name: string; sentAt: Date; to: string; subject: string };
export type OutboxMail = OutboxEntry & { from: string; messageId: string; text: string; html: string | null };

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{40}\.eml$/;

/** The most recent mails of the outbox folder, newest first, at most `limit`. */
export async function listMails(folder: string, limit = 100): Promise<OutboxEntry[]> {
  const names = (await namesIn(folder)).sort().reverse().slice(0, limit);
  const mails = await Promise.all(names.map((name) => readMail(folder, name)));
  return mails
    .filter((mail) => mail !== null)
    .map(({ name, sentAt, to, subject }) => ({ name, sentAt, to, subject }));
}

/** One mail by its file name, or null when there is none. Files with other names are never opened. */
export async function readMail(folder: string, name: string): Promise<OutboxMail | null> {
  if (!NAME.test(name)) return null;
  const eml = await readFile(join(folder, name)).catch(absent);
  if (eml === null) return null;
  const mail = await PostalMime.parse(eml);
  return {
    name,
    sentAt: timeOf(name),
    from: formatAddress(mail.from),
    to: (mail.to ?? []).map(formatAddress).join(', '),
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    text: mail.text ?? '',
    html: mail.html ?? null,
  };
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(absent);
  return (names ?? []).filter((name) => NAME.test(name));
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function timeOf(name: string): Date {
  return new Date(
    name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'),
  );
}

function formatAddress(who: Address | undefined): string {
  if (who?.address === undefined) return who?.name ?? '';
  return who.name === '' ? who.address : `${who.name} <${who.address}>`;
}
