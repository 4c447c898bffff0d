import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { getScope } from '#app/request.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { documentsOfSale } from '#features/documents/reads.ts';
import { releaseEscrow } from '#features/payments/commands/release-escrow.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import { addSaleDocuments } from '#features/sales/commands/add-sale-documents.ts';
import { deliverDocuments } from '#features/sales/commands/deliver-documents.ts';
import { actionDoneMessage, DOCUMENTS_ADDED, validateNote } from '#features/sales/components/sale-actions.ts';
import { partyEvents, releasesEscrow, type TransitionResult } from '#features/sales/model.ts';
import { saleView } from '#features/sales/reads.ts';
import { ADD_DOCUMENTS, NOT_RELEASED, transitionRefusalMessages } from '#features/sales/rules.ts';
import { readSaleFiles } from './sale-files.ts';

interface RouteArgs extends ActionArgs {
  params: { id: string };
  url: URL;
}

/** Loads a sale for its page; `openDialog` is the action whose dialog the URL opens, for browsers without JavaScript. */
export async function loadSale({ params, url, context }: RouteArgs) {
  const { ctx } = getScope(context);
  const sale = await saleView(ctx, params.id);
  const openDialog = sale.actions.find((event) => event === url.searchParams.get('do')) ?? null;
  const documents = await documentsOfSale(ctx, sale.id);
  const adding = sale.canAddDocuments && url.searchParams.get('do') === ADD_DOCUMENTS;
  return { sale, openDialog, documents, adding };
}

type PartyAction = Exclude<(typeof partyEvents)[number], 'deliver_documents'> | 'cancel_checkout';

const actions = [...partyEvents.filter((event) => event !== 'deliver_documents'), 'cancel_checkout' as const];

/** Forms that only one of the two sides has, with the fields that a refusal keeps. */
interface MoreForms {
  intents: Readonly<Record<string, (submission: Submission) => Promise<Response | Refusal>>>;
  preserve: readonly string[];
}

/** Handles the actions of a sale's page; a refusal is returned with the input. */
export function handleSaleForm(args: RouteArgs, more: MoreForms = { intents: {}, preserve: [] }) {
  const { params, url } = args;
  const act =
    (event: PartyAction) =>
    async (submission: Submission): Promise<Response | Refusal> => {
      const note = submission.text('note');
      const problem = validateNote(event, note);
      if (problem) return invalid({ note: problem });
      const result = await perform(submission, { saleId: params.id, event, note });
      if (!result.ok) return conflict(transitionRefusalMessages[result.reason]);
      return redirectWithToast(url.pathname, actionDoneMessage(event), { status: 303 });
    };
  return runAction(args, {
    intents: {
      ...more.intents,
      ...Object.fromEntries(actions.map((event) => [event, act(event)])),
      deliver_documents: async ({ ctx, form }) => {
        const files = await readSaleFiles(form);
        const result = await deliverDocuments(ctx, { saleId: params.id, files });
        if (result.ok)
          return redirectWithToast(url.pathname, actionDoneMessage('deliver_documents'), { status: 303 });
        return result.reason === 'files'
          ? invalid(result.errors)
          : conflict(transitionRefusalMessages[result.reason]);
      },
      [ADD_DOCUMENTS]: async ({ ctx, form }) => {
        const files = await readSaleFiles(form);
        const result = await addSaleDocuments(ctx, { saleId: params.id, files });
        if (result.ok) return redirectWithToast(url.pathname, DOCUMENTS_ADDED, { status: 303 });
        return result.reason === 'files'
          ? invalid(result.errors)
          : conflict(transitionRefusalMessages[result.reason]);
      },
    },
    preserve: ['note', ...more.preserve],
    messages: ({ intent }) => (releasesEscrow(intent) ? { unavailable: NOT_RELEASED } : {}),
  });
}

const perform = (
  { ctx }: Submission,
  { saleId, event, note }: { saleId: string; event: PartyAction; note: string },
): Promise<TransitionResult> => {
  if (event === 'cancel_checkout') return cancelCheckout(ctx, { saleId });
  return releasesEscrow(event)
    ? releaseEscrow(ctx, { saleId, event, note })
    : actOnSale(ctx, { saleId, event, note });
};
