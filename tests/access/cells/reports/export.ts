import { expect } from 'vitest';
import { chooseWeeklyMail } from '#features/reports/commands/choose-weekly-mail.ts';
import { exportReportPdf } from '#features/reports/commands/export-report-pdf.ts';
import { exportReportTable } from '#features/reports/commands/export-report-table.ts';
import { sendWeeklyMails } from '#features/reports/commands/send-weekly-mails.ts';
import { weeklyMailChoice } from '#features/reports/reads.ts';
import { DAY } from '#platform/durations.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { systemContext, withoutRateLimits } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { HEAD, systemOnlyRows } from '../../support/table-rows.ts';

const query = { from: '2026-10-01', to: '2026-10-30', zone: 'UTC', grouping: 'weekly' } as const;

const wanting = async ({ db }: Scenario) =>
  (
    await db
      .q()
      .selectFrom('notification_preferences')
      .select('user_id')
      .where('mail_weekly_report', '=', true)
      .execute()
  ).map(({ user_id }) => user_id);

/** The administrator has wanted the mail for two weeks. */
async function wantedForWeeks({ db, cast }: Scenario): Promise<void> {
  await db.q().deleteFrom('notification_preferences').execute();
  await db
    .q()
    .insertInto('notification_preferences')
    .values({
      user_id: cast.admin.id,
      mail_weekly_report: true,
      weekly_report_week: '2020-01-06',
    })
    .execute();
}

export const cells: Cells = {
  'commands/export-report-table#exportReportTable': operation({
    cells: `
      ${HEAD}
      revenue        Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      unknown table  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    act: (ctx, _, { row }) =>
      exportReportTable(withoutRateLimits(ctx), { tab: 'financial', table: row, query }),
    verify: (file) => {
      if (file) expect(file.body).toContain('Revenue (USD)');
    },
  }),

  'commands/export-report-pdf#exportReportPdf': operation({
    cells: `
      ${HEAD}
      searches  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => exportReportPdf(withoutRateLimits(ctx), { tab: 'searches', query }),
  }),

  // Only one's own.
  'reads#weeklyMailChoice': operation({
    cells: `
      ${HEAD}
      the administrator’s  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  wanted
    `,
    prepare: ({ scenario }) => wantedForWeeks(scenario),
    act: (ctx) => weeklyMailChoice(ctx),
    outcomeOf: ({ wanted }) => (wanted ? 'wanted' : 'not wanted'),
    mayChange: () => false,
  }),

  'commands/choose-weekly-mail#chooseWeeklyMail': operation({
    cells: `
      ${HEAD}
      on  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare: ({ scenario }) => scenario.db.q().deleteFrom('notification_preferences').execute(),
    act: (ctx) => chooseWeeklyMail(ctx, { wanted: true }),
    async verify(_, __, { scenario, outcome }) {
      expect(await wanting(scenario)).toEqual(outcome === 'allowed' ? [scenario.cast.admin.id] : []);
    },
  }),

  // A timer sends them.
  'commands/send-weekly-mails#sendWeeklyMails': operation({
    cells: systemOnlyRows('of weeks ago'),
    prepare: ({ scenario }) => wantedForWeeks(scenario),
    act: (ctx) => sendWeeklyMails(ctx),
    async verify(_, __, { scenario }) {
      const later = new Date(Date.now() + 14 * DAY);
      expect(await sendWeeklyMails({ ...systemContext(scenario), now: () => later })).toBe(1);
      await scenario.db.q().deleteFrom('mail_outbox').execute();
    },
  }),
};
