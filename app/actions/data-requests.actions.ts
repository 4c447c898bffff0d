import { eraseBuyer } from '#features/personal-data/commands/erase-buyer.ts';
import { prepareExport } from '#features/personal-data/commands/prepare-export.ts';
import { dataRequestRefusals } from '#features/personal-data/data-requests.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { invalid, type Refusal, redirectWithToast, type Submission } from './run-action.ts';

type Handler = (submission: Submission) => Promise<Response | Refusal<never>>;

/** Shown in the dialog, below its fields. */
const impossible = (problem: string): Refusal<never> => ({
  ok: false,
  status: 409,
  errors: { form: problem },
});

/**
 * Handles what administrators do about somebody's personal data, on the pages of buyers and of sellers.
 * @param hrefOf the page that offers the export with this link to be downloaded
 */
export function dataRequestHandlers(
  hrefOf: (submission: Submission, link: string) => string,
): Record<'export' | 'erase', Handler> {
  return {
    async export(submission) {
      const { ctx, text } = submission;
      const result = await prepareExport(ctx, {
        userId: text('user'),
        reason: text('reason'),
      });
      if (result.ok)
        return redirectWithToast(
          hrefOf(submission, result.link),
          { title: `The data of ${result.name} is ready` },
          { status: 303 },
        );
      const problem = dataRequestRefusals[result.reason];
      return result.reason === 'closed' ? impossible(problem) : invalid({ reason: problem });
    },
    async erase({ ctx, text }) {
      const result = await eraseBuyer(ctx, {
        buyerId: text('id'),
        reason: text('reason'),
        confirmation: text('confirmation'),
      });
      if (result.ok)
        return redirectWithToast(
          adminPaths.buyers(),
          { title: 'Account erased', text: `${result.email} is notified by email.` },
          { status: 303 },
        );
      const problem = dataRequestRefusals[result.reason];
      if (result.reason === 'unconfirmed') return invalid({ confirmation: problem });
      return result.reason === 'closed' || result.reason === 'live_sale'
        ? impossible(problem)
        : invalid({ reason: problem });
    },
  };
}
