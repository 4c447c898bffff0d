import { FileText, Hexagon, House } from 'lucide-react';
import { data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { documentTotals } from '#features/documents/reads.ts';
import type { DocumentTotals } from '#features/documents/registry-model.ts';
import { CreateNftForm, nftFields } from '#features/nfts/components/create-nft-form.tsx';
import { nftNetwork } from '#features/nfts/reads.ts';
import { nftMessages } from '#features/nfts/rules.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/documents';
import { loadTab } from './documents/load-tab.ts';
import { handleNftForm } from './documents/nft-actions.ts';
import { documentsQueryFrom } from './documents/query.ts';
import { CompletionTab, DocumentsTab, PropertyTab } from './documents/tabs.tsx';
import { useFailureToast } from './documents/use-failure-toast.ts';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [totals, loaded] = await Promise.all([
    readOrNull(ctx, () => documentTotals(ctx)),
    loadTab(ctx, documentsQueryFrom(url.searchParams)),
  ]);
  // An object of its own for each answer, so that a failed retry is said again.
  const failure = loaded.failed ? { text: loaded.failed } : null;
  return data(
    { totals, loaded, failure, where: nftNetwork(ctx) },
    totals && !failure ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleNftForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields(...nftFields), toast: { title: nftMessages.failed } });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Blockchain Documents', hidden: true });

/** Every registered document, and the tokens that evidence some. */
export default function Documents({ loaderData, actionData }: Route.ComponentProps) {
  const { totals, loaded, failure, where } = loaderData;
  useFailureToast(failure);
  return (
    <>
      <AreaHead title="Blockchain Documents" />
      {totals ? <StatStrip stats={cards(totals)} /> : <FailedPanel title="The totals could not be loaded." />}
      <div className="mt-6">
        <Tabs
          label="Documents"
          current={loaded.tab}
          tabs={[
            { id: 'documents', label: 'Documents', href: adminPaths.documents() },
            { id: 'property', label: 'Property NFTs', href: adminPaths.documents({ tab: 'property' }) },
            { id: 'completion', label: 'Completion NFTs', href: adminPaths.documents({ tab: 'completion' }) },
          ]}
        >
          {loaded.tab === 'documents' && <DocumentsTab loaded={loaded} />}
          {loaded.tab === 'property' && (
            <PropertyTab
              loaded={loaded}
              create={(document) => (
                <CreateNftForm
                  // Another choice or another token starts with an empty form.
                  key={`${document?.id} ${loaded.chosen?.tokens?.[0]?.id}`}
                  propertyId={loaded.query.property ?? ''}
                  document={document}
                  where={where}
                  answer={actionData}
                />
              )}
            />
          )}
          {loaded.tab === 'completion' && <CompletionTab loaded={loaded} />}
        </Tabs>
      </div>
    </>
  );
}

const cards = ({ documents, properties, completionTokens }: DocumentTotals) => [
  { label: 'Total Documents', value: countText(documents), icon: FileText },
  {
    label: 'Active Properties',
    value: countText(properties),
    icon: House,
    help: 'Properties that have documents.',
  },
  { label: 'Completion NFTs', value: countText(completionTokens), icon: Hexagon },
];
