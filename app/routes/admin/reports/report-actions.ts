import { type ActionArgs, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { chooseWeeklyMail } from '#features/reports/commands/choose-weekly-mail.ts';
import { CHOOSE_WEEKLY_MAIL } from '#features/reports/components/weekly-mail-switch.tsx';
import { weeklyMailMessages } from '#features/reports/report-labels.ts';
import { adminPaths } from '#routing/admin-paths.ts';

/** Handles the forms of the reports. */
export const handleReportForm = (args: ActionArgs) =>
  runAction(args, {
    intents: {
      async [CHOOSE_WEEKLY_MAIL]({ ctx, text, scripted }) {
        const wanted = text('wanted') === 'yes';
        await chooseWeeklyMail(ctx, { wanted });
        const toast = wanted ? weeklyMailMessages.on : weeklyMailMessages.off;
        return scripted ? { ok: true as const, toast } : redirectWithToast(adminPaths.reports(), toast);
      },
    },
    messages: { failed: weeklyMailMessages.failed },
  });
