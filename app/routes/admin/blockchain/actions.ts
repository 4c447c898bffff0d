import {
  type ActionArgs,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import { type ContractAction, manageContract } from '#features/chain/commands/manage-contract.ts';
import { addTestDocument } from '#features/content/commands/add-test-document.ts';
import { checkTestDocument } from '#features/content/commands/check-test-document.ts';
import { removeTestDocument } from '#features/content/commands/remove-test-document.ts';
import { retryPin } from '#features/content/commands/retry-pin.ts';
import { testRoundTrip } from '#features/content/commands/test-round-trip.ts';
import type { CheckTestDocumentResult, RoundTripResult } from '#features/content/model.ts';
import { contentMessages } from '#features/content/rules.ts';
import { FileStoreError } from '#gateways/files/port.ts';
import { blockchainQueryFrom, tabHref } from './query.ts';

/** What the page gets back beside the usual. */
export interface BlockchainAnswer {
  roundTrip?: RoundTripResult;
  checked?: { id: string; result: CheckTestDocumentResult };
}
type Answer = Promise<Response | Stay<BlockchainAnswer> | Refusal<BlockchainAnswer>>;

const requested: Record<ContractAction['action'], string> = {
  deploy: 'Deployment requested',
  pause: 'Pause requested',
  unpause: 'Resumption requested',
  base_uri: 'New base URI requested',
};

/** The tab to return to; without scripts as a whole page, which the toast is part of. */
function back({ request }: Submission, tab: Parameters<typeof tabHref>[0]): string {
  const { whole } = blockchainQueryFrom(new URL(request.url).searchParams);
  return tabHref(tab, whole ? { as: 'page' } : {});
}

/** Tries the store, publishes test documents, and changes the contract. */
export function handleBlockchainForm(args: ActionArgs) {
  return runAction<BlockchainAnswer>(args, {
    intents: {
      'retry-pin': retry,
      'round-trip': tryRoundTrip,
      'add-test': addTest,
      'check-test': checkTest,
      'remove-test': removeTest,
      deploy: change(() => ({ action: 'deploy' })),
      pause: change(() => ({ action: 'pause' })),
      unpause: change(() => ({ action: 'unpause' })),
      'base-uri': change(({ text }) => ({ action: 'base_uri', base: text('base') })),
    },
    preserve: ['base'],
    messages: (_, error) => ({
      failed:
        error instanceof FileStoreError
          ? 'The file could not be stored. Please try again.'
          : contentMessages.failed,
    }),
  });
}

async function retry(submission: Submission): Answer {
  const { ctx, text } = submission;
  const result = await retryPin(ctx, { cid: text('cid') || null });
  return redirectWithToast(
    back(submission, 'storage'),
    result.ok
      ? { title: contentMessages.retried }
      : { title: 'Not done', text: contentMessages.nothingFailed, tone: 'bad' },
  );
}

async function tryRoundTrip({ ctx }: Submission): Answer {
  const roundTrip = await testRoundTrip(ctx);
  if (roundTrip.ok)
    return { ok: true, toast: { title: contentMessages.roundTripPassed }, extra: { roundTrip } };
  return { ok: false, status: 409, toast: roundTrip.text, extra: { roundTrip } };
}

async function addTest(submission: Submission): Answer {
  const { ctx, form } = submission;
  const file = form.get('file');
  if (!(file instanceof File) || (file.size === 0 && file.name === ''))
    return invalid({ file: 'Choose a file.' });
  const result = await addTestDocument(ctx, {
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
  });
  if (!result.ok) return invalid({ file: result.text });
  const { name, status } = result.document;
  return redirectWithToast(
    back(submission, 'tests'),
    status === 'pinned'
      ? { title: contentMessages.testAdded, text: name }
      : { title: 'Test document added', text: `${name} is published within minutes.`, tone: 'info' },
  );
}

async function checkTest({ ctx, text }: Submission): Answer {
  const id = text('id');
  const result = await checkTestDocument(ctx, id);
  return result.ok
    ? { ok: true, toast: { title: 'The store gave back the same bytes' }, extra: { checked: { id, result } } }
    : { ok: false, status: 409, toast: result.text, extra: { checked: { id, result } } };
}

async function removeTest(submission: Submission): Answer {
  const { ctx, text } = submission;
  const { status } = await removeTestDocument(ctx, text('id'));
  const shared = status === 'pinned';
  return redirectWithToast(back(submission, 'tests'), {
    title: contentMessages.testRemoved,
    ...(shared && { text: 'Its content stays published, since another document has the same.' }),
    ...(status === 'unpinning' && { text: 'The store is asked again until it stops publishing it.' }),
  });
}

/** Has the contract deployed or changed; what is refused is said in the dialog. */
function change(of: (submission: Submission) => ContractAction) {
  return async (submission: Submission): Answer => {
    const action = of(submission);
    const result = await manageContract(submission.ctx, action);
    if (result.ok)
      return redirectWithToast(back(submission, 'contract'), {
        title: requested[action.action],
        text: 'It is on the chain within a minute.',
      });
    return result.reason === 'base'
      ? invalid({ base: result.text })
      : { ok: false, status: 409, errors: { contract: result.text } };
  };
}
