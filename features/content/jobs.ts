import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { fillAddresses } from './commands/fill-addresses.ts';
import { publishContent } from './commands/publish-content.ts';

/** Not retried: each address has attempts of its own, and the next run goes on. */
const publishJob = defineJob('content.publish', { cron: '* * * * *', retries: 0, expireSeconds: 1800 });
const addressesJob = defineJob('content.fill-addresses', { cron: '*/10 * * * *', retries: 0 });

/** Publishes public documents, and computes the addresses of documents that have none. */
export const contentJobs: JobHandler<CtxWith<'files' | 'content'>>[] = [
  handle(publishJob, async (ctx: CtxWith<'files' | 'content'>) => void (await publishContent(ctx))),
  handle(addressesJob, async (ctx: CtxWith<'files' | 'content'>) => void (await fillAddresses(ctx))),
];

/** Enqueues publishing when the database says that something is due; a schedule enqueues it as well. */
export async function publishOnChange(ctx: Ctx): Promise<void> {
  ctx.db.channels.on('content', () => {
    enqueue(ctx, publishJob, {}, { key: 'content' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'a public document waits for the clock to be published');
    });
  });
  await ctx.db.listen('content');
}
