import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { plural } from '#platform/format-count.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { fileName } from './file-formats.ts';
import { FILE_LASTS_MS, type FileFormat } from './model.ts';

interface FileMail {
  fileId: string;
  /** the id of the administrator who asked */
  to: string;
  format: FileFormat;
  createdAt: Date;
}

/** Queues the word to an administrator that a file can be downloaded. */
export const mailFileReady = (ctx: Ctx, { sales, ...mail }: FileMail & { sales: number }): Promise<void> =>
  send(ctx, mail, {
    subject: 'Your export is ready',
    paragraphs: [
      `${fileName(mail.format, mail.createdAt)} holds ${plural(sales, 'transaction', 'transactions')}.`,
      `You can download it for ${FILE_LASTS_MS / HOUR} hours, signed in with the account that asked for it. Then it is deleted.`,
    ],
    button: { label: 'Download the file', path: adminPaths.transactionsFile(mail.fileId) },
  });

/** Queues the word to an administrator that a file could not be written. */
export const mailFileFailed = (ctx: Ctx, mail: FileMail): Promise<void> =>
  send(ctx, mail, {
    subject: 'Your export failed',
    paragraphs: [
      `${fileName(mail.format, mail.createdAt)} could not be written.`,
      'Please try again, or narrow the list first.',
    ],
    button: { label: 'Open the transactions', path: adminPaths.transactions() },
  });

async function send(
  ctx: Ctx,
  { fileId, to }: FileMail,
  {
    subject,
    paragraphs,
    button: { label, path },
  }: { subject: string; paragraphs: string[]; button: { label: string; path: string } },
): Promise<void> {
  const user = await ctx.db
    .q()
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', to)
    .executeTakeFirst();
  if (!user) return;
  await queueMail(ctx, {
    idempotencyKey: `transactions.file:${fileId}`,
    to: { address: user.email, name: user.name },
    subject,
    ...(await layoutMail(ctx, {
      heading: subject,
      paragraphs,
      button: { label, url: ctx.config.publicUrl + path },
    })),
  });
}
