import { handleImport } from '#app/actions/import.actions.ts';
import { preserveInput } from '#app/actions/preserve-input.ts';
import { typedChoices } from '#app/actions/typed-import.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ImportPage, loadImport } from '#app/pages/imports/details.tsx';
import { getCtx } from '#app/request.ts';
import { importMessages } from '#features/import-runs/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/import';

export const loader = ({ params, url, context }: Route.LoaderArgs) =>
  loadImport(getCtx(context), 'agent', { importId: params.id, params: url.searchParams });

export const action = (args: Route.ActionArgs) =>
  handleImport(args, { area: 'agent', importId: args.params.id });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: typedChoices, toast: { title: 'Error', text: importMessages.failed } });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.details ? `Import of ${loaderData.details.fileName}` : 'Import',
    hidden: true,
  });

/** One import of a seller's. */
export default function Import({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ImportPage
      area="agent"
      loaded={loaderData}
      answer={useAnswer(actionData)}
      listingHref={sellerPaths.editProperty}
    />
  );
}
