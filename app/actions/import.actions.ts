import { readChoices } from '#features/import-runs/columns.ts';
import { checkImport } from '#features/import-runs/commands/check-import.ts';
import { discardImport } from '#features/import-runs/commands/discard-import.ts';
import { startImport } from '#features/import-runs/commands/start-import.ts';
import { stopImport } from '#features/import-runs/commands/stop-import.ts';
import { undoImport } from '#features/import-runs/commands/undo-import.ts';
import type { ImportResult } from '#features/import-runs/model.ts';
import { importMessages } from '#features/import-runs/rules.ts';
import { readTypeChoices } from '#features/import-runs/type-choices.ts';
import { sellerChoices } from '#features/listing-form/reads.ts';
import { type ImportArea, importPaths } from '#routing/import-paths.ts';
import {
  type ActionArgs,
  conflict,
  invalid,
  redirectWithToast,
  runAction,
  type Submission,
} from './run-action.ts';
import { typedChoices } from './typed-import.ts';

interface Of {
  area: ImportArea;
  importId: string;
}

/** Everything that the page of an import sends. */
export function handleImport(args: ActionArgs, { area, importId }: Of) {
  const paths = importPaths(area);
  const here = paths.details(importId);
  const step =
    (
      run: (ctx: Submission['ctx'], input: { importId: string }) => Promise<ImportResult>,
      next = here,
      done?: string,
    ) =>
    async ({ ctx }: Submission) => {
      const result = await run(ctx, { importId });
      return result.ok
        ? redirectWithToast(next, done ? { title: done } : null, { status: 303 })
        : conflict({ title: importMessages.failed, text: result.text });
    };
  return runAction(args, {
    intents: {
      check: (submission) => check(submission, area, importId, here),
      start: step(startImport),
      stop: step(stopImport),
      undo: step(undoImport),
      discard: step(discardImport, paths.list(), 'File discarded'),
    },
    preserve: typedChoices,
    messages: { failed: importMessages.failed },
  });
}

async function check(submission: Submission, area: ImportArea, importId: string, here: string) {
  const { ctx, text, form } = submission;
  const sameHome = (['merge', 'keep'] as const).find((one) => one === text('sameHome')) ?? 'ask';
  const result = await checkImport(ctx, {
    importId,
    agentId: area === 'admin' ? await sellerOfForm(submission) : null,
    firstStatus: text('firstStatus') === 'Active' ? 'Active' : 'pending',
    activateTypes: text('activateTypes') === 'yes',
    sameHome,
    choices: readChoices(text),
    types: readTypeChoices(form),
  });
  if (result.ok) return redirectWithToast(here, null, { status: 303 });
  return result.reason === 'invalid'
    ? invalid(result.errors)
    : conflict({ title: importMessages.failed, text: result.text });
}

/** The chosen seller; one who was typed and not chosen, as without JavaScript, counts when just one fits. */
async function sellerOfForm({ ctx, text }: Submission): Promise<string | null> {
  const words = text('sellerText').trim();
  if (text('seller') !== '' && (words === '' || words === text('sellerLabel'))) return text('seller');
  if (words === '') return null;
  const choices = await sellerChoices(ctx, words);
  const exact = choices.filter(({ email }) => email.toLowerCase() === words.toLowerCase());
  const [found, ...others] = exact.length > 0 ? exact : choices;
  return found && others.length === 0 ? found.id : null;
}
