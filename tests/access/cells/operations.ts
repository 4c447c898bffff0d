import { dropJob } from '#features/operations/commands/drop-job.ts';
import { dropUnsentMail } from '#features/operations/commands/drop-unsent-mail.ts';
import { markBackup } from '#features/operations/commands/mark-backup.ts';
import { retryJobs } from '#features/operations/commands/retry-jobs.ts';
import { retryMails } from '#features/operations/commands/retry-mails.ts';
import { deadJobs, deadMails, systemState } from '#features/operations/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

const forAdministrators = (outcome: string) => `
  ${HEAD}
  failed  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}
`;

/** An email that was given up; its id. */
const prepare = async ({ scenario }: { scenario: Scenario }): Promise<string> => {
  const { id } = await scenario.db
    .q()
    .insertInto('mail_outbox')
    .values({
      idempotency_key: crypto.randomUUID(),
      to_address: 'somebody@example.test',
      subject: 'Hello',
      text_body: '',
      html_body: '',
      status: 'dead',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** What lies outside of the database answers at once. */
const withPorts = (ctx: Ctx) =>
  ({
    ...ctx,
    files: { check: async () => undefined },
    mailer: { check: async () => undefined },
    payments: { forMethod: () => ({ provider: 'sandbox', livemode: false, check: async () => undefined }) },
    payouts: { forMethod: () => null },
  }) as unknown as Parameters<typeof systemState>[0];

const NOTHING = '00000000-0000-4000-8000-000000000000';

export const cells: Cells = {
  'reads#deadJobs': operation({
    cells: forAdministrators('allowed'),
    act: (ctx) => deadJobs(ctx, { page: 1, job: null }),
    mayChange: () => false,
  }),
  'reads#deadMails': operation({
    cells: forAdministrators('allowed'),
    prepare,
    act: (ctx) => deadMails(ctx, { page: 1 }),
    mayChange: () => false,
  }),
  'reads#systemState': operation({
    cells: forAdministrators('allowed'),
    act: (ctx) => systemState(withPorts(ctx)),
    mayChange: () => false,
  }),
  'commands/retry-mails#retryMails': operation({
    cells: forAdministrators('allowed'),
    prepare,
    act: (ctx, id) => retryMails(ctx, { id }),
  }),
  'commands/drop-unsent-mail#dropUnsentMail': operation({
    cells: forAdministrators('allowed'),
    prepare,
    act: (ctx, id) => dropUnsentMail(ctx, { id, reason: 'Obsolete' }),
  }),
  'commands/retry-jobs#retryJobs': operation({
    cells: forAdministrators('gone'),
    act: (ctx) => retryJobs(ctx, { id: NOTHING }),
  }),
  'commands/drop-job#dropJob': operation({
    cells: forAdministrators('gone'),
    act: (ctx) => dropJob(ctx, { id: NOTHING, reason: 'Obsolete' }),
  }),
  // The operator's script says so.
  'commands/mark-backup#markBackup': operation({
    cells: systemOnlyRows('a backup'),
    act: (ctx) => markBackup(ctx, { note: 'Nightly' }),
  }),
};
