import { parseArgs } from 'node:util';
import { markBackup } from '#features/operations/commands/mark-backup.ts';
import type { Ctx } from '#platform/context.ts';
import { type DeadLetter, readDeadLetters, readQueues, retryDeadLetters } from '#platform/jobs/jobs.ts';
import { type DeadMail, readDeadMails, retryMail } from '#platform/outbox/outbox.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run operations`: lists what waits in the queues, and the mails and jobs that were given up.
//   -- retry mail ID|all   sends mails that were given up again
//   -- retry job ID|all    runs jobs that failed for good again
//   -- backed-up [NOTE]    records that a backup was taken just now

const ALL = 10_000;

await runCommand(async (): Promise<0 | 1> => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [verb, kind, which] = positionals;
  if (verb === undefined) return withOperatorContext('operations', list);
  if (verb === 'retry' && which && positionals.length === 3) {
    if (kind === 'mail') return withOperatorContext('operations', (ctx) => retryMails(ctx, which));
    if (kind === 'job') return withOperatorContext('operations', (ctx) => retryJobs(ctx, which));
  }
  if (verb === 'backed-up')
    return withOperatorContext('operations', async (ctx): Promise<0> => {
      await markBackup(ctx, { note: positionals.slice(1).join(' ') });
      console.log('The backup is recorded.');
      return 0;
    });
  console.error('Usage: npm run operations [-- retry mail|job ID|all | backed-up [NOTE]]');
  return 1;
});

async function list(ctx: Ctx): Promise<0> {
  const queues = await readQueues(ctx);
  const mails = await readDeadMails(ctx);
  const jobs = await readDeadLetters(ctx);
  console.log(queues.length > 0 ? 'Waiting:' : 'Nothing waits.');
  for (const { job, waiting, oldest } of queues)
    console.log(`  ${job}: ${waiting}, the oldest due since ${oldest.toISOString()}`);
  console.log(mails.length > 0 ? 'Mails that were given up, newest first:' : 'No mail was given up.');
  for (const mail of mails) console.log(`  ${mailLine(mail)}`);
  console.log(jobs.length > 0 ? 'Jobs that failed for good, newest first:' : 'No job failed for good.');
  for (const job of jobs) console.log(`  ${jobLine(job)}`);
  return 0;
}

function mailLine({ id, to, subject, attempts, reason, queuedAt }: DeadMail): string {
  return `${id}  ${queuedAt.toISOString()}  to ${to}, '${subject}', ${attempts} attempts: ${reason}`;
}

function jobLine({ id, job, at, reason, data }: DeadLetter): string {
  return `${id}  ${at.toISOString()}  ${job} ${JSON.stringify(data)}: ${reason}`;
}

async function retryMails(ctx: Ctx, which: string): Promise<0 | 1> {
  const ids = which === 'all' ? (await readDeadMails(ctx, ALL)).map(({ id }) => id) : [which];
  let retried = 0;
  for (const id of ids) if (await retryMail(ctx, id)) retried += 1;
  return report(retried, 'mail', which);
}

async function retryJobs(ctx: Ctx, which: string): Promise<0 | 1> {
  return report(await retryDeadLetters(ctx, which === 'all' ? undefined : [which]), 'job', which);
}

function report(retried: number, kind: 'mail' | 'job', which: string): 0 | 1 {
  if (retried === 0 && which !== 'all') {
    console.error(`No ${kind} ${which} was given up.`);
    return 1;
  }
  console.log(`${retried} ${kind}${retried === 1 ? '' : 's'} will be tried again.`);
  return 0;
}
